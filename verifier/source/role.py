"""Whether a Python file is code or a test.

The name alone does not tell: `test.py` and `test_model.py` are often the scripts that evaluate a model.
"""

from __future__ import annotations

import re

from verifier.model.repository import Role

_TEST_FOLDERS = frozenset({"tests", "test", "unittests", "unit_tests", "unittest", "__tests__"})
_TEST_NAME = re.compile(r"(test_.*|.*_tests?|tests)\.py")
_FRAMEWORK = re.compile(r"^[ \t]*(?:import|from)[ \t]+(?:pytest|unittest)\b", re.MULTILINE)
_TEST = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+test_|^class[ \t]+Test", re.MULTILINE)
_PROGRAM = re.compile(r"\bargparse\b|\bsys\.argv\b|@click\.command|@hydra\.main|\bfire\.Fire\b|\btyper\b")


def role_of(path: str, text: str) -> Role:
    """Tell a test from code.

    A file is a test when it stands in a folder of tests, is a `conftest.py`, or has a test's name and also tests inside; a file
    with a test's name that takes command-line options and imports no test framework is a program.
    """
    *folders, name = path.split("/")
    if name == "conftest.py" or not _TEST_FOLDERS.isdisjoint(folders):
        return Role.TEST
    if not _TEST_NAME.fullmatch(name):
        return Role.CODE
    if _FRAMEWORK.search(text):
        return Role.TEST
    return Role.TEST if _TEST.search(text) and not _PROGRAM.search(text) else Role.CODE
