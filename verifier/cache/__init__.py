"""Reports kept between runs: an unchanged repository with unchanged units is not checked twice."""

from verifier.cache.fingerprint import fingerprint
from verifier.cache.store import Store, default_store

__all__ = ["Store", "default_store", "fingerprint"]
