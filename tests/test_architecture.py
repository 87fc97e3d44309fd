"""The shape of the code base, as tests: who may import whom, no cycle, no god file."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("memory_tiers", "tools", "app")
    for path in (ROOT / package).rglob("*.py")
}
FORBIDDEN = {  # modules under the key never import these
    "memory_tiers": ("tools", "app", "google", "gradio", "pydantic"),
    "tools": ("app", "gradio"),
    "app.adk": ("app.ui", "gradio"),
    "app.ui": ("google",),
    "app.evaluation": ("google", "gradio"),
}


def under(module: str, package: str) -> bool:
    """Tell whether `module` is `package` or lies inside it."""
    return module == package or module.startswith(package + ".")


def imports(name: str) -> set[str]:
    """Collect every module that `name` imports, function bodies included."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
            found |= submodules or {node.module}
    return found - {name}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_module_respects_its_layer(name):
    """No module imports from a layer that is closed to it."""
    closed = {f for package in FORBIDDEN if under(name, package) for f in FORBIDDEN[package]}

    assert not {m for m in imports(name) if any(under(m, f) for f in closed)}


def test_imports_form_no_cycle():
    """The import graph is acyclic; a cycle is named in the error."""
    graph = {name: imports(name) & MODULES.keys() for name in MODULES}

    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("name", sorted(MODULES))
def test_module_is_short(name):
    """No module is longer than 400 lines."""
    assert len(MODULES[name].read_text().splitlines()) <= 400
