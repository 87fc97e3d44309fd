"""A fact: one line worth keeping, and what its words say about older lines."""

from dataclasses import dataclass, replace

from app.adk.offline_rules.render import swap_person, tidy


@dataclass(frozen=True, slots=True)
class Known:
    """Stems of the names, and of the words, that memory holds."""

    names: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()


NOTHING = Known()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something worth keeping.

    Attributes:
        line: How it is kept: one line in the third person.
        clause: The clause it came from, in the first person.
        cue: Whether the words sound like a correction of something said before.
        gone: Whether it says that something no longer holds.
        instead_of: The value it takes the place of ("not 12"), blank when not said.
        sentence: The whole sentence, as typed.
    """

    line: str
    clause: str
    cue: bool
    gone: bool
    instead_of: str = ""
    sentence: str = ""

    def with_more(self, clause: str) -> "Fact":
        """Add to a fact what its sentence goes on to say but what is no fact of its own."""
        line = tidy(f"{self.line.rstrip('.')}, {swap_person(clause)}")
        return replace(self, line=line, clause=f"{self.clause}, {clause}")
