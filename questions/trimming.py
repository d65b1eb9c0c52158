"""Outer white space and case, the only two things that are folded when texts are compared."""

# Unicode's White_Space. str.strip() would also take U+001C to U+001F, which are control characters.
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    + ("\u2028\u2029\u202f\u205f\u3000")
)


def trim(text: str) -> str:
    """The text without Unicode white space at its ends."""
    return text.strip(WHITE_SPACE)


def folded(text: str) -> str:
    """What two texts that count as the same have in common: no outer white space, no case."""
    return trim(text).casefold()
