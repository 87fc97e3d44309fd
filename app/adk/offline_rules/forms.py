"""One form for facts that are told in many ways: introductions, homes, jobs, favourites."""

import re

from app.adk.offline_rules.concepts import known, meaning
from app.adk.offline_rules.fact import NOTHING, Known
from app.adk.offline_rules.passing import is_durable
from app.adk.offline_rules.render import is_name, swap_person, third_person, tidy, without_now

_V = r"(?P<v>.+?)"
_WHEN = r"(?:\s+(?P<w>(?:in|since|last|this|back in|two|three|four|five|six|a|\d+) .+))?"
_REWRITES = tuple(
    (re.compile(pattern + "$", re.I), rewritten)
    for pattern, rewritten in (
        (
            r"(?:my (?:full |first |real |actual )?name|name) (?:is|was) (?:actually )?"
            r"(?P<v>\w[^,;:]{0,40})",
            "Name: {v}.",
        ),
        (r"i am (?:called|named) (?P<v>(?!after\b)\w[^,;:]{0,40})", "Name: {v}."),
        (
            r"(?!if\b|when\b|do\b|did\b)(?:[\w' ]{1,25} )??(?:can |usually |always |still |all "
            r"|just )*calls? me (?P<v>[A-Z][\w'-]+)(?P<r>,.*)?",
            "Goes by {v}{r}.",
        ),
        (
            rf"(?:my nickname is|i (?:usually |mostly )?go by|i prefer (?:to be called"
            rf"|being called|the name)|i like to be called) {_V}",
            "Goes by {v}.",
        ),
        (
            rf"(?:i|we) (?:have |had )?(?:just |recently |finally |now )?(?:moved|relocated) "
            rf"(?:here |back )?(?:from .+? )?(?:over )?(?:to|into) {_V}(?: from .+?)?{_WHEN}",
            "Lives in {v}{w}.",
        ),
        (
            rf"(?:i|we) (?:currently |now |actually |still )?(?:live|reside|am living|am based"
            rf"|am staying|are living|are based|am settled|have settled|settled|have lived"
            rf"|have been living) (?:now )?(?P<p>in|at|on|near|by|with|above|outside) {_V}",
            "Lives {p} {v}.",
        ),
        (
            r"(?:i|we) (?:am|are) (?:(?:now|currently|actually) )?(?P<p>in|near|outside) "
            r"(?P<v>[A-Z][\w' -]+?) (?:now|nowadays|these days|at the moment|at present)",
            "Lives {p} {v}.",
        ),
        (
            rf"{_V} is (?:also |now )?where (?:i|we) (?:now )?(?:live|am based|are based)(?P<w>, "
            rf"(?:in|on|at|near) .+)?",
            "Lives in {v}{w}.",
        ),
        (rf"(?:my home is|home is|home for me is|i make my home)(?: in)? {_V}", "Lives in {v}."),
        (rf"i call {_V} (?:my )?home", "Lives in {v}."),
        (
            rf"(?:my|our|the) (?P<k>[\w' -]{{2,40}}?) (?:is|are) (?:different|new|changed)"
            rf"(?: now)?(?:[:,;] ?(?:it is )?| to ){_V}",
            "{k}: {v}.",
        ),
        (
            rf"(?:my|our|the) (?P<k>[\w' -]{{2,40}}?) (?:has|have)(?: just| now)? changed(?: to "
            rf"|[:,;] ?(?:it is )?(?:now )?){_V}",
            "{k}: {v}.",
        ),
        (
            rf"(?:my|our|the) new (?P<k>[\w' -]{{2,40}}?(?:number|code|password|pin|address"
            rf"|combination|email|plate)) is {_V}",
            "{k}: {v}.",
        ),
        (
            rf"i (?:now |currently |actually )?(?:work|am working|earn my living|make (?:my"
            rf"|a) living) as {_V}",
            "Works as {v}.",
        ),
        (
            rf"(?:my (?:job|profession|occupation|job title|role|title)) is (?:being )?"
            rf"(?P<a>an? )?{_V}",
            "Works as {a}{v}.",
        ),
        (
            rf"(?:i|we) (?:have |just |recently |now )*(?:got|started|landed|took|taken) (?:an? )?"
            rf"(?:new )?(?:job|position|post|role) as {_V}",
            "Works as {v}.",
        ),
        (
            rf"i (?:just |recently |now )?(?:have )?(?:started|began) (?:working )?as {_V}",
            "Works as {v}.",
        ),
        (rf"i (?:have )?(?:became|become) (?P<a>an? ){_V}", "Works as {a}{v}."),
        (
            rf"i (?:now |currently |actually )?(?:work|am working|am employed) (?P<p>at|for) {_V}",
            "Works {p} {v}.",
        ),
        (
            rf"i (?:have |just |recently |now )*(?:got|started|landed|took|taken) (?:an? )?"
            rf"(?:new )?(?:job|position|post|role|working) (?P<p>at|for|with) {_V}",
            "Works at {v}.",
        ),
        (
            r"i (?:have |just |recently |now )*(?:joined|switched to|moved over to) (?P<v>"
            r"(?-i:[A-Z]).+?)",
            "Works at {v}.",
        ),
        (
            r"i am (?:about |almost |nearly )?(?P<v>\d{1,3})(?: years? old| years of age)?",
            "Is {v} years old.",
        ),
        (
            r"i (?:have )?(?:just |recently )?turned (?P<v>\d{1,3}|[a-z]+ty(?:[ -]\w+)?)\b"
            r"(?P<r>.*)",
            "Is {v} years old.",
        ),
        (
            r"(?P<w>my [\w' -]{2,30}?) (?:has )?(?:told|advised|ordered|asked|wants) (?:me|us) to "
            r"(?P<v>.+)",
            "Has to {v}, as {w} said.",
        ),
        (
            r"(?:i|we) (?:have |just |finally |recently )*(?:got|bought|have|ordered) (?:an?|my"
            r"|our) new (?P<k>\w+(?: \w+)?)[,:] (?:it is )?(?P<v>(?!i\b|we\b|it\b|which\b"
            r"|because\b|so\b|and\b|but\b).+)",
            "{k}: {v}.",
        ),
        (
            rf"my (?:favou?rite|fave) {_V} (?:is|are|has always been|would be) (?P<w>.+)",
            "Favourite {v}: {w}.",
        ),
        (
            rf"(?P<w>.+?) (?:is|are) (?:my|our) (?:all-?time |absolute )?(?:favou?rite|fave) {_V}",
            "Favourite {v}: {w}.",
        ),
    )
)


def _rewrite(clause: str) -> str:
    """Give the most common facts one form each; blank when the clause is none of them."""
    clause, _, more = clause.partition("; ")
    for pattern, form in _REWRITES:
        found = pattern.match(clause) or pattern.match(without_now(clause))
        if found:
            parts = {key: without_now(part or "") for key, part in found.groupdict().items()}
            if parts.get("w") and "Lives in" in form and not parts["w"].startswith(","):
                parts["w"] = f", moved there {parts['w']}"
            parts["a"] = found.groupdict().get("a") or ""
            line = tidy(swap_person(form.format_map(parts)))
            return tidy(f"{line[:-1]}; {swap_person(more)}") if more else line
    return ""


_I_AM = re.compile(r"^i am (?:actually |really )?(?P<v>[^,]+?)(?:,\s*(?P<rest>.+))?$", re.I)
_SELF = re.compile(
    r"(?:an?|from|originally|\d{1,3}|currently|married|single|divorced|born|based)\b", re.I
)


def _introduction(clause: str) -> list[str]:
    """Read "I am Dana, 34, a nurse from Lisbon": a name, then what else I am."""
    found = _I_AM.match(clause)
    if not found:
        return []
    value, rest = found["v"].strip(), found["rest"]
    if value.isdigit() and rest:
        return [
            f"Is {value} years old.",
            *(line for part in rest.split(",") for line in keep(f"I am {part.strip()}")),
        ]
    name, _, tail = value.partition(" from ")
    name, joined, more = name.partition(" and ")
    if not is_name(name) or any(known(word) for word in name.split()):
        return _profession(value, clause)
    lines = [f"Name: {name}."]
    lines += [third_person(f"I am from {tail}")] if tail else []
    for part in [more] * bool(joined) + (rest.split(",") if rest else []):
        if _SELF.match(part.strip()):
            lines += keep(f"I am {part.strip()}")
    return lines


_PLACES = r"(?-i:[A-Z])[\w'-]*(?:[ -](?-i:[A-Z])[\w'-]*)*"
_WITH_PLACES = re.compile(
    rf"(?P<job>an? .+?)(?:,? (?:originally )?from (?P<origin>{_PLACES}))?(?:,? (?:and |but )?"
    rf"(?:now |currently )?(?:living|based|residing|settled) in (?P<home>{_PLACES}))?",
    re.I,
)


def _profession(value: str, clause: str) -> list[str]:
    """Read "a nurse from Lagos living in Leeds" as a job, an origin and a home."""
    found = _WITH_PLACES.fullmatch(value)
    if (
        not found
        or "," in clause
        or "=job" not in meaning(found["job"].split(" at ", maxsplit=1)[0])
    ):
        return []
    lines = [tidy(swap_person(f"Works as {without_now(found['job'])}"))]
    lines += [f"Is from {found['origin']}."] if found["origin"] else []
    return lines + ([f"Lives in {found['home']}."] if found["home"] else [])


def line_of(clause: str) -> str:
    """Write any clause as a line in the third person, worth keeping or not."""
    return _rewrite(clause) or third_person(clause)


def keep(clause: str, memory: Known = NOTHING) -> list[str]:
    """Write a clause worth keeping as lines; empty when it is not worth keeping."""
    rewritten = _rewrite(clause)
    if rewritten:
        return [rewritten]
    lines = _introduction(clause)
    if lines:
        return lines
    return [third_person(clause)] if is_durable(clause, memory) else []
