"""Which clauses of a message are worth keeping, and as which lines."""

import re
from dataclasses import dataclass, replace

from app.adk.offline_rules.clauses import Clause, clauses, split_subject, without_lead
from app.adk.offline_rules.concepts import is_animate, known, meaning
from app.adk.offline_rules.question import is_question
from app.adk.offline_rules.render import is_name, swap_person, third_person, tidy, without_now
from app.adk.offline_rules.statement import content
from app.adk.offline_rules.words import is_capital, plain, stem

CUE = re.compile(
    r"\b(?:actually|correction|no longer|any\s?more|instead|changed|rescheduled|postponed|pushed|moved"
    r"|sorry|i meant|scratch that|scrap that|turns out|now|nowadays|these days|switched|became|update"
    r"|wait|used to|rather than|replaced|swapped|traded|got it wrong|mistake|i was wrong|not .+ but"
    r"|stopped|quit|gave up|given up|sold|left|new|recently|as of|since|from now on|misspoke|wrong"
    r"|in fact|broke up|upgraded|downgraded|promoted|renamed|delayed|brought forward)\b"
    r"|^\s*no\b|, not\b|\bnot the\b",
    re.I,
)

_PASSING_STATE = re.compile(
    r"^(?:i|we) (?:am|are|was|were|feel|have been|have)\s+(?:(?:so|very|a bit|a little|really|too|quite"
    r"|just|all|not|still|feeling|pretty|kind of|only|back|totally|absolutely|super|now)\s+)*"
    r"(?:fine|good|ok|okay|tired|hungry|thirsty|bored|happy|sad|sorry|back|here|done|ready|glad|sure"
    r"|kidding|joking|confused|busy|curious|excited|well|great|late|off|home|at home|thinking"
    r"|wondering|asking|just|impressed|interested|lost|stuck|exhausted|sleepy|cold|hot|sick of"
    r"|annoyed|angry|upset|grateful|thankful|on my way|in a hurry|going to bed|going out|going home"
    r"|testing|trying this|talking|listening|waiting|looking forward|chatting|freezing|starving"
    r"|stressed|worried|relaxed|right|wrong|a question|one question|no idea|no clue|to go|to run"
    r"|to leave|a look|fun|another question|alright|awake|about to|in the mood)\b(?! at\b| of\b(?! work)"
    r"| with\b| in\b| as\b)",
    re.I,
)
_SPEECH = re.compile(
    r"^(?:i|we) (?:\w+ly )?(?:guess|wonder|suppose|see|agree|bet|swear|promise|said|say|told|asked|ask"
    r"|forgot|forget|do not (?:know|care|remember|think|mind|understand|get|want to)|can not (?:remember"
    r"|believe|think|recall|wait|decide)|need you|want you|would like you|will be back|got to|gotta"
    r"|hear|heard|feel like|thought|was thinking|was wondering|was just|will (?:try|think|check|see|let)"
    r"|might|may|could|appreciate|understand|doubt|noticed|mean|have (?:no idea|to go|to say|never"
    r" thought)|hope (?:you|it|that)|think|know(?! how)|wish (?:it|you)|got (?:that|it|this) |made a mistake|mixed|misspoke|am (?:sorry|sure|not sure|going to go"
    r"|just))\b",
    re.I,
)
_HYPOTHETICAL = re.compile(
    r"^(?:if|imagine|suppose|supposing|pretend|assume|assuming|unless|whether|let us|let me|maybe|perhaps"
    r"|what if|say )\b|\bif i (?:were|was|had|could)\b|\bi wish\b|\bwould have\b",
    re.I,
)
_HEARSAY = re.compile(
    r"^(?!i\b|we\b)[\w' -]{2,40}? (?:says?|said|told (?:me|us|you)|tells|claims|claimed|thinks|thought"
    r"|asked|asks|wrote|argues|insists|reckons)\b",
    re.I,
)
_JUST_NOW = re.compile(
    r"^(?:i|we) (?:have )?just (?:had|came|got (?:back|home|up|out|in)|finished|saw|went|ate|watched|heard|read|made|did"
    r"|woke|noticed|remembered|realised|realized|thought|tried)\b", re.I)
_OTHERS = re.compile(r"^(?:you|your|this|that|there|it|these|those|everyone|everybody|people|who|what"
                     r"|some|someone|nobody|one|such|as|like|because|since|when|while|after|before)\b", re.I)
_PASSING_TIME = re.compile(
    r"\b(?:yesterday|last night|this morning|this afternoon|this evening|tonight|today|right now"
    r"|a minute ago|an hour ago|earlier|just now|at the moment|the other day|tomorrow morning)\b",
    re.I,
)
_LASTING = re.compile(
    r"\b(?:got (?:an?|my|our|engaged|married|promoted|divorced|hired)|adopted|bought|started|joined"
    r"|moved|married|engaged|quit|sold|passed|graduated|signed|hired|promoted|broke|booked|switched"
    r"|changed|born|finished|lost my|won|diagnosed|retired|is|am|have|are|has|will|going to|starts?"
    r"|named|called|took up|gave up|stopped)\b",
    re.I,
)
_WEATHER = re.compile(r"\b(?:weather|raining|sunny|snowing|cloudy|windy|traffic)\b", re.I)
_QUESTION_WORD = re.compile(r"^(?:who|what|where|when|why|how|which|whose)\b", re.I)


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


_V = r"(?P<v>.+?)"
_WHEN = r"(?:\s+(?P<w>(?:in|since|last|this|back in|two|three|four|five|six|a|\d+) .+))?"
_REWRITES = tuple(
    (re.compile(pattern + "$", re.I), rewritten)
    for pattern, rewritten in (
        (rf"(?:my (?:full |first |real |actual )?name|name) (?:is|was) (?:actually )?(?P<v>\w[^,;:]{{0,40}})", "Name: {v}."),
        (r"i am (?:called|named) (?P<v>(?!after\b)\w[^,;:]{0,40})", "Name: {v}."),
        (rf"(?!if\b|when\b|do\b|did\b)(?:[\w' ]{{1,25}} )??(?:can |usually |always |still |all |just )*calls? me (?P<v>[A-Z][\w'-]+)(?P<r>,.*)?", "Goes by {v}{r}."),
        (rf"(?:my nickname is|i (?:usually |mostly )?go by|i prefer (?:to be called|being called|the name)"
         rf"|i like to be called) {_V}", "Goes by {v}."),
        (rf"(?:i|we) (?:have |had )?(?:just |recently |finally |now )?(?:moved|relocated) (?:here |back )?(?:from .+? )?(?:over )?"
         rf"(?:to|into) {_V}(?: from .+?)?{_WHEN}", "Lives in {v}{w}."),
        (rf"(?:i|we) (?:currently |now |actually |still )?(?:live|reside|am living|am based|am staying|are living|are based|am settled"
         rf"|have settled|settled|have lived|have been living) (?:now )?(?P<p>in|at|on|near|by|with|above|outside) {_V}", "Lives {p} {v}."),
        (r"(?:i|we) (?:am|are) (?:(?:now|currently|actually) )?(?P<p>in|near|outside) (?P<v>[A-Z][\w' -]+?) (?:now|nowadays|these days|at the moment|at present)", "Lives {p} {v}."),
        (rf"{_V} is (?:also |now )?where (?:i|we) (?:now )?(?:live|am based|are based)(?P<w>, (?:in|on|at|near) .+)?", "Lives in {v}{w}."),
        (rf"(?:my home is|home is|home for me is|i make my home)(?: in)? {_V}", "Lives in {v}."),
        (rf"i call {_V} (?:my )?home", "Lives in {v}."),
        (rf"(?:my|our|the) (?P<k>[\w' -]{{2,40}}?) (?:is|are) (?:different|new|changed)(?: now)?(?:[:,;] ?(?:it is )?| to ){_V}", "{k}: {v}."),
        (rf"(?:my|our|the) (?P<k>[\w' -]{{2,40}}?) (?:has|have)(?: just| now)? changed(?: to |[:,;] ?(?:it is )?(?:now )?){_V}", "{k}: {v}."),
        (rf"(?:my|our|the) new (?P<k>[\w' -]{{2,40}}?(?:number|code|password|pin|address|combination|email|plate)) is {_V}", "{k}: {v}."),
        (rf"i (?:now |currently |actually )?(?:work|am working|earn my living|make (?:my|a) living) as {_V}", "Works as {v}."),
        (rf"(?:my (?:job|profession|occupation|job title|role|title)) is (?:being )?(?P<a>an? )?{_V}", "Works as {a}{v}."),
        (rf"(?:i|we) (?:have |just |recently |now )*(?:got|started|landed|took|taken) (?:an? )?(?:new )?(?:job|position|post|role) as {_V}",
         "Works as {v}."),
        (rf"i (?:just |recently |now )?(?:have )?(?:started|began) (?:working )?as {_V}", "Works as {v}."),
        (rf"i (?:have )?(?:became|become) (?P<a>an? ){_V}", "Works as {a}{v}."),
        (rf"i (?:now |currently |actually )?(?:work|am working|am employed) (?P<p>at|for) {_V}", "Works {p} {v}."),
        (rf"i (?:have |just |recently |now )*(?:got|started|landed|took|taken) (?:an? )?(?:new )?(?:job|position|post|role|working)"
         rf" (?P<p>at|for|with) {_V}", "Works at {v}."),
        (r"i (?:have |just |recently |now )*(?:joined|switched to|moved over to) (?P<v>[A-Z].+?)", "Works at {v}."),
        (r"i am (?:about |almost |nearly )?(?P<v>\d{1,3})(?: years? old| years of age)?", "Is {v} years old."),
        (r"i (?:have )?(?:just |recently )?turned (?P<v>\d{1,3}|[a-z]+ty(?:[ -]\w+)?)\b(?P<r>.*)", "Is {v} years old."),
        (rf"my (?:favou?rite|fave) {_V} (?:is|are|has always been|would be) (?P<w>.+)", "Favourite {v}: {w}."),
        (rf"(?P<w>.+?) (?:is|are) (?:my|our) (?:all-?time |absolute )?(?:favou?rite|fave) {_V}", "Favourite {v}: {w}."),
    )
)


def _rewrite(clause: str) -> str:
    """Give the most common facts one form each; blank when the clause is none of them."""
    for pattern, form in _REWRITES:
        found = pattern.match(clause)
        if found:
            parts = {key: without_now(part or "") for key, part in found.groupdict().items()}
            if parts.get("w") and "Lives in" in form and not parts["w"].startswith(","):
                parts["w"] = f", moved there {parts['w']}"
            parts["a"] = (found.groupdict().get("a") or "")
            return tidy(swap_person(form.format_map(parts)))
    return ""


_I_AM = re.compile(r"^i am (?:actually |really )?(?P<v>[^,]+?)(?:,\s*(?P<rest>.+))?$", re.I)


def _introduction(clause: str) -> list[str]:
    """Read "I am Dana, 34, a nurse from Lisbon": a name, then what else I am."""
    found = _I_AM.match(clause)
    if not found:
        return []
    value, rest = found["v"].strip(), found["rest"]
    if value.isdigit() and rest:
        return [f"Is {value} years old.", *(line for part in rest.split(",") for line in keep(f"I am {part.strip()}"))]
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


_SELF = re.compile(r"(?:an?|from|originally|\d{1,3}|currently|married|single|divorced|born|based)\b", re.I)


def _profession(value: str, clause: str) -> list[str]:
    if re.match(r"an?\s", value) and "=job" in meaning(value.split(" at ", maxsplit=1)[0]) and "," not in clause:
        return [tidy(swap_person(f"Works as {without_now(value)}"))]
    return []


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


def _is_talk(clause: str) -> bool:
    """Tell whether a clause is passing: a mood, a supposition, hearsay, a figure of speech."""
    passing = (_PASSING_STATE, _HYPOTHETICAL, _HEARSAY, _WEATHER, _QUESTION_WORD, _JUST_NOW, _SPEECH)
    return any(pattern.search(clause) for pattern in passing)


def is_durable(clause: str, memory: Known = NOTHING) -> bool:
    """Tell whether a clause says something lasting about the user or what is theirs."""
    if len(clause.split()) < 3 or _OTHERS.match(clause) or _is_talk(clause):
        return False
    if _PASSING_TIME.search(clause) and not _LASTING.search(clause):
        return False
    subject, predicate = split_subject(clause)
    return bool(predicate) and _is_ours(subject, predicate, memory)


def _is_ours(subject: str, predicate: str, memory: Known) -> bool:
    if any(stem(word) in memory.names for word in subject.split()):
        return True
    if subject and _RENEWS.search(predicate) and content(subject) & memory.topics:
        return True
    first = subject.split(" ", maxsplit=1)[0].lower() if subject else ""
    if first in ("i", "we", "my", "our"):
        return True
    if first == "the":
        return not _EVALUATES.match(predicate)
    if re.search(r"\b(?:i|my|our|me|us)\b", f"{subject} {predicate}", re.I):
        return True
    if bool(subject) and is_animate(subject):
        return True
    if subject and is_capital(subject):
        return bool(re.search(r"\b(?:my|our|me|us)\b", subject + " " + predicate, re.I))
    return False


_RENEWS = re.compile(r"\b(?:now|no longer|changed|switched|moved|postponed|cancelled|canceled|instead|pushed|from now on|become|became|rescheduled|off|new)\b", re.I)
_EVALUATES = re.compile(
    r"(?:is|are|was|were|looks?|sounds?|seems?|feels?)\s+(?:(?:so|very|really|too|quite|pretty|just|a bit|not|all)\s+)*(?:good|great|nice"
    r"|bad|awful|terrible|awesome|amazing|fun|boring|funny|lovely|beautiful|interesting|wonderful|horrible|cool|ok|okay"
    r"|fine|right|wrong|true|false|weird|strange|crazy|hilarious|fantastic|sad|annoying|over|gone|late|here|there|best|worst|limit)\b",
    re.I)

_NOT_OLD = re.compile(
    r"(?:\s*[,;–—]\s*(?:and |but )?(?:not|no longer)|[\s,;]+and not|[\s,;]+(?:instead of|rather than"
    r"|as opposed to|in place of))\s+"
    r"(?:(?:in|at|on|to|as|called|named|an?|the|my|our)\s+)*(?P<old>[^,;]+?)"
    r"(?P<tail>\s+(?:next|this|last|on|in|from|for|at|every|any\s?more|now)\b[^,;]*)?$",
    re.I,
)
_OLD_BUT = re.compile(r"\b(?P<be>is|am|are|was|in|on|at|like|likes) not (?P<old>[^,;]+?)[,;]? (?:but|it is|i am|he is|she is) (?P<new>.+)$", re.I)
_GONE = re.compile(
    r"\b(?:no longer|not .+ any\s?more|stopped|quit|gave up|given up|have left|left my|left the|sold|moved (?:out|away)|closed|shut down|dropped out|dropped|have left|left"
    r"|broke up|split up|cancelled|canceled|called off|died|passed away)\b",
    re.I,
)


def _without_old(clause: str) -> tuple[str, str]:
    """Cut "…, not 12" off a clause; the second part is the value that no longer holds."""
    if re.search(r"\bdo(?:es)? not\b", clause, re.I) and "," not in clause:
        return clause, ""
    found = _OLD_BUT.search(clause)
    if found:
        return f"{clause[: found.start()]}{found['be']} {found['new']}", found["old"].strip()
    found = _NOT_OLD.search(clause)
    if found and found.start() > 0:
        return clause[: found.start()] + (found["tail"] or ""), without_now(found["old"].strip())
    return clause, ""


def read_facts(text: str, memory: Known = NOTHING) -> list[Fact]:
    """Find every line worth keeping in what the user said.

    `memory` tells whom and what is known already: more about those is worth keeping.
    """
    found: list[Fact] = []
    for clause in clauses(_without_quotes(text)):
        if is_question(clause.sentence) and not tells(clause.sentence):
            continue
        renewed = _renewal(clause, found)
        if renewed:
            found[-1] = renewed
            continue
        made = _in_its_place(clause, found) or _facts_of(clause, memory)
        if not made and found and found[-1].sentence == clause.sentence and not _is_talk(clause.text):
            found[-1] = found[-1].with_more(clause.text)
        found += made
    unique = {fact.line: fact for fact in found if fact.line}
    return list(unique.values())


_TELLS = re.compile(
    r"^(?:(?:hey|so|oh|hi|and|well)[ ,]+)?(?:did (?:i|you) (?:ever )?(?:tell you|mention|know|say)"
    r"|have i (?:told you|mentioned)|guess what)(?: that)? (?:i|my|we|our)\b",
    re.I,
)


_IT_IS = re.compile(
    r"^(?:it is|that is|only|just|now) (?:now |only |just |all )?(?P<new>[^,;]+?) (?:now|instead|from now on|these days|from here on)$", re.I)
_GIVEN_UP = re.compile(r"\b(?:gave up|given up|stopped|quit|off|sold|dropped(?: out of)?|left|closed|shut down|cancelled|no longer \w+) (?:the |my |our )?(?P<old>[^,;.]+)", re.I)


def ended_value(clause: str) -> str:
    """What a clause gives up: "law" of "she dropped out of law"; blank when nothing is seen."""
    found = _GIVEN_UP.search(clause)
    return found["old"].strip() if found else ""


def _in_its_place(clause: Clause, before: list[Fact]) -> list[Fact]:
    """Read "It's water now" after "I gave up the cola"."""
    found = _IT_IS.match(clause.text)
    ended = ended_value(before[-1].clause) if before and before[-1].gone else ""
    if not found or not ended:
        return []
    line = third_person(f"i switched to {found['new']}")
    return [Fact(line, clause.text, True, False, ended, clause.sentence)]


_NEW_ONE = re.compile(
    r"^(?:i|we) (?:have )?(?:just |recently |now )*(?:switched|changed|got|have)(?: an?)?(?: new)? (?:my |our )?(?P<what>(?:\w+ )?\w+?)s?$", re.I)
_ITS_VALUE = re.compile(r"^(?:i am|we are|it is|he is|she is|my new one is|the new one is) (?:now )?(?:with |at |on |called |named )?(?P<new>[^;]+)$", re.I)


def _renewal(clause: Clause, before: list[Fact]) -> Fact | None:
    """Read "I switched doctors, I'm with Dr. Brandt now" as the doctor's new name."""
    changed = _NEW_ONE.match(before[-1].clause) if before else None
    value = _ITS_VALUE.match(clause.text)
    if not changed or not value or before[-1].sentence != clause.sentence:
        return None
    line = tidy(f"{changed['what']}: {without_now(swap_person(value['new']))}")
    return Fact(line, clause.text, True, False, "", clause.sentence)


def tells(sentence: str) -> bool:
    """Tell whether a question only wraps a statement: "did I tell you that I have a dog?"."""
    return bool(_TELLS.search(plain(sentence)))


def _without_quotes(text: str) -> str:
    """Blank out longer quotations: they are somebody else's words."""
    return re.sub(r'"[^"\n]{25,}"', " ", plain(text))


_INSTEAD_NOW = re.compile(
    r"^(?P<who>i|we) (?:no longer|do not|stopped) (?P<verb>\w+) (?P<old>[^,;]+?)(?: any\s?more)?"
    r"[,;] (?:but |only |just |it is |now )*(?P<new>(?!i\b|we\b|my\b)[^,;]+?)(?: now| instead| these days)+$",
    re.I,
)


_WHO_CHANGED = r"^(?P<who>i|we|(?:my|our|the) [\w' -]+?|[A-Z]\w+) (?:have |has |had )?(?:just |recently |finally |now )?"
_SWAPPED = (
    re.compile(
        _WHO_CHANGED + r"(?:swapped|traded|exchanged|replaced)(?: in)? (?:my |our |the )?(?P<old>[^,;]{1,60}?)(?: in)?"
        r" (?:for|with|by) (?:an? |the )?(?P<new>[^,;]+)$", re.I),
    re.compile(
        _WHO_CHANGED + r"(?:switched|changed|upgraded|went|gone|converted|moved on)(?: over)? from (?:my |our |the )?"
        r"(?P<old>[^,;]{1,60}?) to (?:an? |the )?(?P<new>[^,;]+)$", re.I),
)


def _facts_of(clause: Clause, memory: Known) -> list[Fact]:
    positive, old = _without_old(clause.text)
    swapped = next((m for p in _SWAPPED if (m := p.match(clause.text))), None)
    if swapped:
        line = third_person(f"{swapped['who']} switched to {swapped['new']}")
        return [Fact(line, clause.text, True, False, swapped["old"], clause.sentence)]
    turned = _INSTEAD_NOW.match(clause.text)
    if turned:
        positive, old = f"{turned['who']} {turned['verb']} {turned['new']}", turned["old"]
        return [Fact(line, positive, True, False, old, clause.sentence) for line in keep(positive, memory)]
    cue = bool(CUE.search(plain(clause.sentence))) or bool(old)
    gone = bool(_GONE.search(clause.text))
    return [Fact(line, positive, cue, gone, old, clause.sentence) for line in keep(positive, memory)]


_SWAP = (
    r"(?:^|\b(?:it|that|this|he|she) is |\bi meant |\bmake (?:that|it) |\bshould be |\bit was )"
    r"(?P<new>[^,;.]+?)[,;]? (?:and )?(?:not|instead of|rather than) (?P<old>[^,;.]+?)[.!]*$",
    r"\bnot (?P<old>[^,;.]+?)(?:[,;.] ?(?:but )?|\s+but\s+)(?:(?:it|that|he|she|i) (?:is|am|meant|was) |its |make that )?"
    r"(?P<new>[^,;.]+?)[.!]*$",
)


def read_swap(text: str) -> tuple[str, str]:
    """Read "it's not 12, it's 14" as (old, new); blanks when nothing of the kind is said."""
    cleaned = without_lead(text)
    for pattern in _SWAP:
        found = re.search(pattern, cleaned, re.I)
        if found:
            return found["old"].strip(), found["new"].strip()
    return "", ""
