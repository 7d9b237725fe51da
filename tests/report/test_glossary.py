"""Every word of the report is explained."""

from __future__ import annotations

from verifier.model.verdict import Cause, Verdict
from verifier.report.glossary import GLOSSARY, cause_entry


def test_every_verdict_and_cause_is_explained() -> None:
    words = {entry.word for entries in GLOSSARY.values() for entry in entries}
    assert words >= set(Verdict)
    assert {str(cause) for cause in Cause} <= set(GLOSSARY)
    assert all(cause_entry(cause).word is cause for cause in Cause)
    assert len(GLOSSARY["missing"]) == 2
