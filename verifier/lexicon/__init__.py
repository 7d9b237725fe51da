"""What names mean in machine learning code: synonyms, library defaults, entities, placeholder marks; read from rules/."""

from verifier.lexicon.entities import Entity
from verifier.lexicon.lexicon import Lexicon, load_lexicon
from verifier.lexicon.signatures import Default, Parameter, Signature
from verifier.lexicon.spellings import Spelling, Tier

__all__ = ["Default", "Entity", "Lexicon", "Parameter", "Signature", "Spelling", "Tier", "load_lexicon"]
