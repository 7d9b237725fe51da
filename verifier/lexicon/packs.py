"""Rule packs on disk: found, read, checked, and kept in compiled form.

A pack is a YAML file under rules/ that says in `pack:` what it holds. Reading YAML is slow, so what a folder of packs compiles to
is kept in the user's cache, keyed by the content of the packs and of the code that compiles them; the cache may be deleted or be
read-only at any time.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from verifier.errors import RuleError

_KEPT = 8  # compiled forms of one folder of packs that are kept, for versions used side by side
Plain = Any  # what marshal can hold: numbers, strings, None, tuples, lists, dicts, frozensets
Build = Callable[[Sequence[tuple[str, Mapping[str, Any]]]], Plain]


def rules_folder() -> Path:
    """The rules shipped with the package; in a checkout, the folder rules/ beside it.

    Raises:
        RuleError: there is neither.
    """
    package = Path(__file__).parents[1]  # importlib.resources takes longer to import than everything here to run
    for folder in (package / "_data" / "rules", package / "rules", package.parent / "rules"):
        if (folder / "defaults").is_dir():
            return folder
    raise RuleError("the rule packs are not installed; reinstall sa-verify", str(package))


def compiled(rules: Path, folder: str, build: Build, code: Path) -> Plain:
    """What the packs of a folder compile to.

    Args:
        rules: the rules folder.
        folder: which of its folders, such as `names`.
        build: makes plain data of the packs, given as (file name, content), sorted by name; raises RuleError.
        code: the source file of `build`, part of the cache's key.

    Raises:
        RuleError: a pack is no YAML mapping, or `build` refuses it.
    """
    files = sorted((rules / folder).glob("*.yaml"))
    texts = [(f"{folder}/{path.name}", path.read_bytes()) for path in files]
    kept = _cache_file(folder, [*texts, (code.name, code.read_bytes() if code.is_file() else b"")])
    try:
        return marshal.loads(kept.read_bytes())  # noqa: S302 (the user's own cache)
    except (OSError, ValueError, EOFError, TypeError):
        pass
    plain = build([(name, _parse(name, text)) for name, text in texts])
    _keep(kept, marshal.dumps(plain))
    return plain


def refuse_unknown(where: str, entry: object, allowed: frozenset[str], required: Sequence[str] = ()) -> Mapping[str, Any]:
    """The entry, if it is a mapping with allowed keys only.

    Args:
        where: file and entry, for the message.
        entry: what stands in the pack.
        allowed: the keys it may have.
        required: those it must have.

    Raises:
        RuleError: it is not.
    """
    if not isinstance(entry, dict):
        raise RuleError("an entry must be a mapping", where)
    name = entry.get("name")
    where = f"{where}: {name}" if name else where
    unknown = sorted(str(found) for found in entry.keys() - allowed)
    if unknown:
        raise RuleError(f"unknown key {', '.join(unknown)}; allowed are {', '.join(sorted(allowed))}", where)
    missing = [wanted for wanted in required if wanted not in entry]
    if missing:
        raise RuleError(f"key {', '.join(missing)} is missing", where)
    return entry


def strings(where: str, value: object) -> tuple[str, ...]:
    """A list of strings as a tuple; nothing for None.

    Raises:
        RuleError: it is something else.
    """
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RuleError("a list of strings is wanted (put numbers and yes/no in quotes)", where)
    return tuple(value)


def _parse(name: str, text: bytes) -> Mapping[str, Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        content = yaml.load(text, Loader=loader)  # noqa: S506 (a safe loader)
    except yaml.YAMLError as error:
        raise RuleError(f"no valid YAML: {' '.join(str(error).split())}", name) from error
    if not isinstance(content, dict) or not isinstance(content.get("pack"), str):
        raise RuleError("a pack is a mapping with the key `pack`", name)
    return content


def cache_folder() -> Path:
    """Where compiled forms may be kept: SA_VERIFY_CACHE_DIR, else sa-verify in XDG_CACHE_HOME or ~/.cache."""
    own = os.environ.get("SA_VERIFY_CACHE_DIR")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "sa-verify"


def _cache_file(folder: str, parts: Sequence[tuple[str, bytes]]) -> Path:
    digest = blake2b(f"{sys.implementation.cache_tag} {marshal.version}".encode(), digest_size=16)
    for name, content in parts:
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return cache_folder() / "rules" / f"{folder}-{digest.hexdigest()}.marshal"


def _keep(path: Path, content: bytes) -> None:
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
        kept = path.parent.glob(f"{path.name.partition('-')[0]}-*.marshal")
        for old in sorted(kept, key=lambda file: file.stat().st_mtime)[:-_KEPT]:
            old.unlink()
    except OSError:
        return
