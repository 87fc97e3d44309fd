"""Settings: the files that show and explain them agree with the code."""

import re
import subprocess
import sys
from pathlib import Path

import yaml

from app.config import (
    KEY_VARIABLES,
    PLAIN_VARIABLES,
    SIGN_IN_VARIABLES,
    VARIABLES,
    Settings,
    load_settings,
    variable,
)
from app.settings import KNOBS
from memory_tiers.policies import PERSONA

ROOT = Path(__file__).parents[2]


def test_file_in_the_repository_states_every_default():
    """config.yaml has every setting, each with its default and a comment."""
    text = (ROOT / "config.yaml").read_text()
    written = {f"{s}.{key}" for s, keys in yaml.safe_load(text).items() for key in keys}
    bare = [
        k
        for k in KNOBS
        if not re.search(rf"#.*\n?\s*{k.split('.')[1]}:|{k.split('.')[1]}:.*#", text)
    ]

    assert written == set(KNOBS)
    assert bare == []
    assert load_settings(None, yaml.safe_load(text), {}) == Settings()


def test_documentation_lists_every_setting():
    """docs/configuration.md has a row for each setting with default, range, meaning, variable."""
    rows = re.findall(
        r"^\| `(\w+\.\w+)` \|(.*)\|$", (ROOT / "docs/configuration.md").read_text(), re.M
    )
    wrong = []
    for (key, row), knob in zip(rows, KNOBS.values(), strict=True):
        default, accepted, meaning, name = (cell.strip(" `") for cell in row.split(" | "))
        shown = {"": "blank", PERSONA.initial: "the text in `config.yaml"}
        expected = shown.get(knob["default"], str(knob["default"]))
        if (default, meaning, name) != (expected, knob["description"], variable(key)):
            wrong.append(key)
        whole = knob.get("anyOf", [knob])[0]
        form = (
            "{minimum:,} to {maximum:,}"
            if whole is knob
            else "`auto`, or {minimum:,} to {maximum:,}"
        )
        if "minimum" in whole and accepted != form.format(**whole).strip("`"):
            wrong.append(key)

    assert [key for key, _ in rows] == list(KNOBS)
    assert wrong == []


def test_example_lists_every_variable():
    """.env.example names each variable that is read, and nothing else."""
    named = re.findall(r"^(?:# )?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M)

    assert sorted(named) == sorted(
        [*VARIABLES, *KEY_VARIABLES, *PLAIN_VARIABLES, *SIGN_IN_VARIABLES, "SYSTEM", "SPACE_HOST"]
    )


def test_only_this_module_reads_the_environment():
    """No other module asks the environment; a measurement hands it on to what it starts."""
    reading = [
        path.relative_to(ROOT).as_posix()
        for package in ("app", "tools", "memory_tiers")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"os\.environ(?!\[\S+\] = )|getenv|dotenv", path.read_text(encoding="utf-8"))
    ]

    assert [name for name in reading if not name.startswith("app/evaluation/")] == ["app/config.py"]


def test_settings_come_without_heavy_imports():
    """Reading settings loads neither the page, nor the agent's framework, nor the index."""
    code = "import app.config, sys; print({'gradio', 'google', 'faiss'} & {*sys.modules})"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "set()"
