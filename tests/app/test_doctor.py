"""What `doctor` finds, and what it says to do."""

import sqlite3

import pytest

from app.config import ConfigError, load_settings
from app.doctor import examine
from memory_tiers import HashEmbedder, Memory


@pytest.fixture
def checks(tmp_path):
    """Examine a data folder; give the checks by name."""

    def checks(**overrides):
        settings = load_settings(None, {"storage.data_dir": tmp_path, **overrides}, {})
        return {check.name: check for check in examine(settings)}

    return checks


def test_fresh_machine_is_sound(checks, tmp_path):
    """Before the first start nothing is broken, and nothing is made by looking."""
    found = checks(**{"storage.data_dir": tmp_path / "data"})

    assert [check for check in found.values() if not check.sound] == []
    assert list(tmp_path.iterdir()) == []


def test_used_memory_is_sound(checks, tmp_path):
    """A memory in use is whole; notes without a vector of this model are counted."""
    with Memory.open(tmp_path, HashEmbedder()) as memory:
        memory.for_user("u1").archival.insert("The key hangs behind the blue door.")

        found = checks()

    assert [check for check in found.values() if not check.sound] == []
    assert found["index"].text == "1 note; 1 get their vectors at the next start"


def test_damaged_database_is_told(checks, tmp_path):
    """A file that is no database is broken, with what to do."""
    (tmp_path / "memory.db").write_bytes(b"not a database" * 1000)

    check = checks()["database memory.db"]

    assert not check.sound
    assert "restore a copy or move it away" in check.text


def test_database_with_overwritten_pages_is_told(checks, tmp_path):
    """Damage in the middle of a database is found by reading all of it."""
    with Memory.open(tmp_path, HashEmbedder()) as memory:
        for number in range(200):
            memory.for_user("u1").recall.append("s1", "user", f"message {number} " * 20)
    file = tmp_path / "memory.db"
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 8192] = b"\xff" * 8192
    file.write_bytes(content)

    assert not checks()["database memory.db"].sound


def test_database_of_a_newer_version_is_told(checks, tmp_path):
    """A step this program does not know is broken: update the program."""
    with Memory.open(tmp_path, HashEmbedder()):
        pass
    database = sqlite3.connect(tmp_path / "memory.db")
    database.execute("INSERT INTO migrations VALUES('999 later', 'now')")
    database.commit()
    database.close()

    check = checks()["database memory.db"]

    assert not check.sound
    assert "newer version" in check.text


def test_file_in_place_of_the_folder_is_told(checks, tmp_path):
    """A data folder that is a file is broken."""
    (tmp_path / "data").write_text("")

    assert not checks(**{"storage.data_dir": tmp_path / "data" / "memory"})["data folder"].sound


def test_folder_that_cannot_exist_is_told(checks):
    """A name the file system does not take is broken, not a traceback."""
    assert not checks(**{"storage.data_dir": "x" * 300})["data folder"].sound


def test_embedder_that_cannot_be_loaded_is_told(checks, tmp_path):
    """A model folder that is not there is broken, and the index is then not judged."""
    found = checks(
        **{
            "embedding.backend": "sentence-transformers",
            "embedding.model": str(tmp_path / "no model"),
        }
    )

    assert not found["embedder"].sound
    assert "index" not in found


def test_refused_settings_are_told_beside_the_rest():
    """With settings that were refused, Python and packages are still looked at."""
    found = list(examine(ConfigError("First fault.\nSecond fault.")))

    assert [(check.name, check.text) for check in found if not check.sound] == [
        ("settings", "First fault."),
        ("settings", "Second fault."),
    ]
    assert {"Python", "packages"} <= {check.name for check in found}


def test_model_says_whether_a_key_is_set(tmp_path):
    """The model's line has provider, name and whether there is a key, never the key."""
    settings = load_settings(
        None, {"storage.data_dir": tmp_path}, {"GOOGLE_API_KEY": "not-a-real-key"}
    )

    texts = [check.text for check in examine(settings)]

    assert texts[-1] == "gemini, gemini-2.5-flash (a key is set)"
    assert "not-a-real-key" not in str(texts)
