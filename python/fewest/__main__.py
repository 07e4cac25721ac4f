"""The command ``fewest``, the same as the program."""

from __future__ import annotations

import sys

from fewest import _fewest


def main() -> int:
    """Run the command line, and return its exit code."""
    # The program's own handlers see Ctrl-C; what is written must come before what the program writes.
    sys.stdout.flush()
    return _fewest.main(["fewest", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
