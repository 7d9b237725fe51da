"""The floor: parses every Python file under the folders given with tree-sitter, and does nothing else.

What a checker does on the same files is stated as a multiple of this, measured in the same run: it moves less between machines
than seconds do.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import tree_sitter_python
from tree_sitter import Language, Parser


def main() -> None:
    """Print the number of files, their bytes and the seconds taken, separated by blanks."""
    parser = Parser(Language(tree_sitter_python.language()))
    start = time.perf_counter()
    files = size = 0
    for folder in sys.argv[1:]:
        for path in sorted(Path(folder).rglob("*.py")):
            data = path.read_bytes()
            parser.parse(data)
            files += 1
            size += len(data)
    print(files, size, f"{time.perf_counter() - start:.3f}")


if __name__ == "__main__":
    main()
