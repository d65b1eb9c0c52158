"""What is not ours is as it was released."""

import re
from hashlib import sha256

from tests.required import PROJECT

VENDORED = PROJECT / "extension" / "vendor" / "readability"


def test_readability_is_unmodified() -> None:
    listed = dict(
        re.findall(
            r"^\| `(.+?)` \| as it is \| `(\w{64})` \|$", (VENDORED / "README.md").read_text(), re.MULTILINE
        )
    )
    files = {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in VENDORED.iterdir()
        if path.name != "README.md"
    }
    assert listed == files
