"""The file of an index is used, made again or mended, and never harms."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_tiers.sqlite.vectors import VectorIndex
from tests.memory_tiers.sqlite.vector_rows import WIDTH, finds_its_own, unit_vectors, warnings

HARMS = {
    "half": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "last byte cut": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "cut in the head": lambda file: file.write_bytes(file.read_bytes()[:30]),
    "emptied": lambda file: file.write_bytes(b""),
    "deleted": lambda file: file.unlink(),
    "garbage": lambda file: file.write_bytes(os.urandom(5000)),
    "nested": lambda file: file.write_bytes(b"[" * 100_000),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"more"),
    "head alone": lambda file: file.write_bytes(file.read_bytes().split(b"\n")[0] + b"\n"),
    "folder": lambda file: (file.unlink(), file.mkdir()),
}


def test_a_saved_index_is_used_again(rows, saved, caplog):
    """A whole file is taken as it is: nothing is fetched and nothing is said."""
    caplog.clear()
    again = VectorIndex(saved, "m", WIDTH)

    assert rows.into(again) is False
    assert rows.fetched == []
    assert warnings(caplog) == []
    assert finds_its_own(again, rows)


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_harmed_file_is_made_again_from_the_rows(rows, saved, caplog, harm):
    """Whatever happened to the file, one warning without a path, and all answers are right."""
    harm(saved)
    caplog.clear()
    index = VectorIndex(saved, "m", WIDTH)

    assert rows.into(index) is True
    assert finds_its_own(index, rows)
    assert len(warnings(caplog)) == 1
    assert str(saved.parent) not in warnings(caplog)[0]


@pytest.mark.parametrize("position", [0, 10, 60, 100, 200, 400, -1])
def test_one_altered_byte_is_noticed(rows, saved, caplog, position):
    """A single flipped bit anywhere makes the file unusable."""
    content = bytearray(saved.read_bytes())
    content[position] ^= 1
    saved.write_bytes(content)
    caplog.clear()
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)

    assert sorted(rows.fetched) == sorted(rows.vectors)
    assert len(warnings(caplog)) == 1


def test_the_header_of_a_later_format_is_not_read(rows, saved, caplog):
    """A file of another format is made again."""
    saved.write_bytes(saved.read_bytes().replace(b"vectors 1", b"vectors 2", 1))
    caplog.clear()
    rows.into(VectorIndex(saved, "m", WIDTH))

    assert len(warnings(caplog)) == 1


def test_saving_writes_only_what_changed(rows, saved):
    """The file is written when the rows changed since the last time, and not otherwise."""
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)
    saved.write_bytes(b"touched")
    index.save()
    assert saved.read_bytes() == b"touched"

    rows.vectors.pop(3)
    rows.into(index)
    index.save()

    assert saved.read_bytes() != b"touched"
    assert rows.into(VectorIndex(saved, "m", WIDTH)) is False


def test_an_index_that_was_never_used_leaves_the_file_alone(saved):
    """Saving before anything was loaded keeps what is there."""
    content = saved.read_bytes()

    VectorIndex(saved, "m", WIDTH).save()

    assert saved.read_bytes() == content


def test_a_harmed_file_is_mended_by_saving(rows, saved, caplog):
    """After the repair has been saved the next start has nothing to say."""
    saved.write_bytes(b"garbage")
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)
    index.save()
    caplog.clear()

    assert rows.into(VectorIndex(saved, "m", WIDTH)) is False
    assert warnings(caplog) == []


def test_a_failed_save_keeps_the_old_file_and_goes_on(rows, saved, caplog, monkeypatch):
    """A full disk is one warning without a path; searching goes on and a later save succeeds."""
    before = saved.read_bytes()
    index = VectorIndex(saved, "m", WIDTH)
    rows.vectors[100] = unit_vectors(1, seed=3)[0]
    rows.into(index)
    caplog.clear()

    def full(descriptor):
        raise OSError(28, "No space left on device", str(saved))

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        index.save()

    assert saved.read_bytes() == before
    assert len(warnings(caplog)) == 1
    assert "No space left" in warnings(caplog)[0]
    assert str(saved.parent) not in warnings(caplog)[0]
    assert finds_its_own(index, rows)
    index.save()
    assert rows.into(VectorIndex(saved, "m", WIDTH)) is False


def test_a_folder_that_cannot_be_made_is_one_warning(rows, tmp_path, caplog):
    """Where the folder's place is taken by a file, the index works on without being saved."""
    (tmp_path / "index").write_text("a file")
    index = VectorIndex(tmp_path / "index" / "one.faiss", "m", WIDTH)
    rows.into(index)
    caplog.clear()
    index.save()

    assert len(warnings(caplog)) == 1
    assert finds_its_own(index, rows)


def test_a_save_that_is_broken_off_leaves_the_old_file(rows, saved):
    """A process that dies while writing leaves the earlier index whole."""
    code = f"""
import os, pathlib, sys
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
import numpy as np
from memory_tiers.sqlite.vectors import VectorIndex
index = VectorIndex(pathlib.Path({str(saved)!r}), "m", {WIDTH})
index.reconcile({{1: 1}}, lambda seqs: np.ones((1, {WIDTH}), np.float32))
os.fsync = lambda descriptor: os._exit(9)
index.save()
"""
    died = subprocess.run([sys.executable, "-c", code], check=False)

    assert died.returncode == 9
    assert rows.into(VectorIndex(saved, "m", WIDTH)) is False
