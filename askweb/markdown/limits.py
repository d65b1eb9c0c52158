"""What a renderer bears before it shows the rest literally. Real answers stay far below each of these."""

CONTAINERS = 15  # quotes, lists, notes and details inside each other
INLINE_DEPTH = 20  # emphasis, links and tags inside each other; what is deeper keeps its signs
LABEL = 200  # characters of a reference's or a note's label
DESTINATION = 4_000  # characters of a link's address or title
PARENTHESES = 32  # open at once in a link's address
PADDING = 5_000  # cells added to the short rows of one text's tables
HIGHLIGHTED = 20_000  # characters of one code block that are coloured
HIGHLIGHTED_LINE = 1_000  # characters of one line: lexers backtrack within lines
HIGHLIGHTING_SECONDS = 0.3  # of processor time for all code blocks of one text; then code stays plain
HIGHLIGHTING_PER_CHARACTER = 5e-6  # seconds of it that each character of code adds
