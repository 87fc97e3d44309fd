"""From a message to clauses that each say one thing, with pronouns resolved."""

import re
from dataclasses import dataclass

from app.adk.offline_rules.concepts import is_animate
from app.adk.offline_rules.verbs import AUXILIARY, BASE, is_finite
from app.adk.offline_rules.words import expand, is_capital, plain, word_set

_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!\b[A-Z]\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bSt\.)(?<!\bMrs\.)(?<!\bNo\.)"
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\ba\.m\.)(?<!\bp\.m\.)(?<!\bapprox\.)[\"')\]]*\s+|\s*[\r\n]+\s*"
)

LEAD = re.compile(
    r"^(?:(?:oh|again|(?:hey|hi|hello)(?: there| again)?|hiya|good (?:morning|evening|afternoon)"
    r"|ok(?:ay)?|well|so|and|but|also|plus|anyway|anyways|alright|right|yeah|yep|yes|no|nope|nah"
    r"|wait|hmm+|um+|uh|ah|ha|honestly|frankly|basically|actually|sorry|oops|whoops|correction"
    r"|update|btw|by the way|fyi|for the record|for your information|for future reference"
    r"|for reference|just so you know|(?:just )?in case (?:it (?:matters|helps|comes up)|you "
    r"(?:need|wonder|ask)\w*(?: it)?|i forget(?: it)?)|(?:a )?(?:quick|small|little|minor) (?:note"
    r"|update|fact|correction|thing|one)|fun fact|good news|bad news|big news|news|guess what"
    r"|funny(?: thing)?|i (?:should|must|might|forgot to|wanted to|have to|need to|ought to) "
    r"(?:also |just |probably )?(?:mention|say|add|tell you|correct myself)(?: that)?|(?:you|u) "
    r"(?:should|might|may|need to|ought to) (?:also |want to )?know(?: that)?|did (?:i|you) "
    r"(?:ever )?(?:tell you|mention|know|say)(?: that)?(?= (?:i|my|we|our)\b)|have i (?:told you"
    r"|mentioned)(?: that)?(?= (?:i|my|we|our)\b)|let me (?:tell you|add|correct that"
    r"|correct myself)|i would like (?:you|to tell you)(?: to know)?|i (?:think|believe|guess"
    r"|suppose|mean|meant|realised|realized|know|must say|admit)(?: that)?(?= (?:i|my|we|our)\b)"
    r"|as (?:i said|you know|i mentioned)|one more thing|another thing|thinking about it"
    r"|come to think of it|(?:it )?turns out(?: that)?|as it turns out|to be honest|scratch that"
    r"|scrap that|change of plans?|my (?:mistake|bad)|i was wrong|i made a mistake"
    r"|believe it or not|the thing is|speaking of \w+|since you ask|to be (?:clear|precise|exact)|"
    r"(?:there (?:is|has been|have been) |here is |i have |we have )?(?:an? |some |one )?(?:"
    r"(?:quick|small|little|slight|minor|bit of) )*(?:changes?|updates?|corrections?|news|notes?)"
    r"(?: of plans?)?(?=\s*[:,\u2014\u2013-])|i got (?:that|it|this) wrong|i mixed (?:that|it) up"
    r"|i misspoke|i was mistaken|my apologies|please|thanks|thank you|unfortunately|luckily"
    r"|fortunately|sadly|obviously|of course|apparently|as of (?:today|now|this week|last week"
    r"|this month)|lately|recently|nowadays|these days|at the moment|currently|right now|now)"
    r"(?![\w'])[\s,:;.!?\u2014\u2013-]*)+",
    re.I,
)

_BOUNDARY = re.compile(
    r"\s*(?:;|\u2014|\u2013|\s-\s|,)\s*(?:(?:and|but|so|plus|also|though|although|yet)\s+)*|\s+"
    r"(?:and|but|though|although|whereas|plus|so)\s+(?:also\s+|then\s+)?",
    re.I,
)
_ADVERB = re.compile(
    r"^(?:\w+ly|always|never|often|also|still|just|now|sometimes|currently|once|then|even)$", re.I
)
_NOT_IN_A_NAME = word_set(
    "and or but in on at to of for with from by is are was has have who that which as than"
)
_PRONOUNS = {"i", "we", "she", "he", "they", "it", "you"}
_EFFECT = re.compile(r"^(?:i|we) (?:get|feel|need|end up|become)\b", re.I)
_LEANS = re.compile(
    r"^(?:my|our|the|their|its) (?:(?:next|last|new|exact|first) )?(?:appointment|meeting|date"
    r"|deadline|address|number|code|price|due date|one)s?\b",
    re.I,
)
_BARE_NOUN = re.compile(
    r"^(?:the|its|their) (?:password|passcode|code|pin|number|key|name|address|price|deadline|date"
    r"|time|other|second|rest|first|one|colour|color)s? (?:is|are|was)\b",
    re.I,
)
_FORMER = re.compile(r"\bused to\b", re.I)
_NAMING = {"called", "named", "born", "aged"}
_PARTICIPLES = {"called", "named", "born", "aged", "based", "married", "quit", "stopped"}
_RELATIVES = {"who", "which", "that", "where", "because", "if", "when"}
_BARE = {
    "everyone",
    "everybody",
    "people",
    "friends",
    "folks",
    "home",
    "work",
    "name",
    "dinner",
    "breakfast",
    "lunch",
    "school",
    "training",
}
_HANGING = re.compile(r"^(?:she|he|they|it|that|this|these|those|which|who)\b", re.I)
_OBJECT_PRONOUN = re.compile(
    r"\b(?:him|it|them|her(?= (?:every|on|at|in|when|each|back|twice|once|a|to|and|for|with)\b"
    r"|$))\b",
    re.I,
)
_DETERMINERS = {"my", "our", "the", "his", "her", "their", "its", "this", "that", "most"}
_ANIMATE = re.compile(r"\b(my|our|an?|the|one|her|his|their)\s+((?:[\w'-]+\s+){0,3}[\w'-]+)", re.I)
_TAIL = re.compile(
    r"[\s,;\u2013\u2014-]+(?:by the way|btw|fyi|though|too|as well|actually|you know"
    r"|for the record|please|just so you know|in case you (?:need|wonder)\w*(?: it)?|if you "
    r"(?:must|want to) know)$",
    re.I,
)
_ASIDE = re.compile(r"^(.{2,60}?),\s+who\s+([^,]+),\s+((?:\w+ly )?(?P<verb>\w+)\b.*)$")
_WHO = re.compile(
    r"^(.*?\b(?:an?|my|our|the)\s+(?:[\w'-]+\s+){0,3}?)([\w'-]+)(\s+(?:called|named)\s+[\w'-]+"
    r"|,?\s+[A-Z][\w'-]+)?,?\s+(?:who|that|which)\s+(.+)$"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement. `text` is expanded and has its pronouns resolved; `sentence` is as typed."""

    text: str
    sentence: str


def sentences(text: str) -> list[str]:
    """Split a text at sentence ends and line breaks; the pieces keep the user's own words."""
    return [s.strip() for s in _SENTENCE_END.split(text) if s and s.strip()]


def without_lead(sentence: str) -> str:
    """Drop what only leads up to the point: greetings, "by the way", "did I tell you that"."""
    return LEAD.sub("", expand(sentence).strip(), count=1)


_PLURAL = re.compile(r"[^s]s$|(?:people|children|folks|men|women|family|\d)$", re.I)


def split_subject(clause: str) -> tuple[str, str]:
    """Cut a clause into its subject and its predicate; the subject is blank when none is seen."""
    words = clause.split()
    if not words:
        return "", ""
    first = words[0].lower()
    if first in _PRONOUNS:
        return words[0], " ".join(words[1:])
    bare_subject = first in _BARE or is_animate(words[0])
    if first not in _DETERMINERS and not is_capital(words[0]) and not bare_subject:
        return "", clause
    begin = 2 if first in _DETERMINERS else 1
    for place in range(begin, min(len(words), 9)):
        bare = words[place].lower().strip(",")
        if bare in _RELATIVES or (first not in _DETERMINERS and bare in _NAMING):
            break
        base = place > 1 and first in _DETERMINERS and _PLURAL.search(words[place - 1])
        if is_finite(bare) or (base and is_finite(bare, _at(words, place + 1), plural=True)):
            return " ".join(words[:place]).rstrip(","), " ".join(words[place:])
    return "", clause


def _at(words: list[str], place: int) -> str:
    return words[place] if place < len(words) else ""


def _starts_clause(text: str, subject: str) -> bool:
    """Tell whether the text after a boundary is a statement of its own."""
    words = text.split()
    while words and _ADVERB.match(words[0]):
        words = words[1:]
    rest = " ".join(words)
    if not words or _belongs_to_before(words, rest, subject):
        return False
    own, predicate = split_subject(without_lead(rest))
    if own and predicate:
        return True
    return bool(subject) and _continues(words, subject)


def _belongs_to_before(words: list[str], rest: str, subject: str) -> bool:
    """Tell whether a piece makes sense only together with what comes before it."""
    if _OBJECT_PRONOUN.search(" ".join(words[1:5])) or _LEANS.match(rest):
        return True
    effect = len(words) < 6 and _EFFECT.match(rest)
    return bool(subject) and bool(effect or _BARE_NOUN.match(rest))


def _continues(words: list[str], subject: str) -> bool:
    """Tell whether words go on with the subject of before: "and work as a nurse"."""
    verb, following = words[0].lower(), _at(words, 1)
    if verb in _PARTICIPLES:
        return False
    plural = subject.lower() in {"i", "we", "they"}
    return verb in AUXILIARY or (bool(following) and is_finite(verb, following, plural=plural))


def split_clauses(sentence: str) -> list[str]:
    """Split a sentence into clauses; one without its own subject gets the one before it."""
    pieces: list[str] = []
    subject, start, search = "", 0, 0
    while True:
        piece_subject = split_subject(sentence[start:])[0]
        subject = piece_subject or subject
        found = _BOUNDARY.search(sentence, search)
        if not found:
            break
        search = max(found.end(), found.start() + 1)
        habit = _FORMER.search(sentence, start, found.start())
        if habit and not re.match(
            r"(?:i |we )?(?:now|these days|nowadays)\b", sentence[found.end() :], re.I
        ):
            continue
        if not _has_verb(sentence[start : found.start()]):
            continue
        if found.start() > start and _starts_clause(sentence[found.end() :], subject):
            pieces.append(_with_subject(sentence[start : found.start()], subject))
            start = found.end()
    pieces.append(_with_subject(sentence[start:], subject))
    return [p for piece in pieces for p in _split_relative(piece.strip(" ,;")) if p]


def _has_verb(piece: str) -> bool:
    return any(is_finite(word.strip(",")) or word.lower() in BASE for word in piece.split())


def _with_subject(piece: str, subject: str) -> str:
    words = piece.split()
    skip = 0
    while skip < len(words) and _ADVERB.match(words[skip]):
        skip += 1
    own, _ = split_subject(" ".join(words[skip:]))
    if own or not subject or not words:
        return piece
    plural = subject.lower() in {"i", "we", "they"}
    verb = _at(words, skip)
    starts = verb.lower() in AUXILIARY or is_finite(verb, _at(words, skip + 1), plural=plural)
    return f"{subject} {piece}" if starts else piece


def _split_relative(piece: str) -> list[str]:
    """Make two statements of "a sister who lives in Porto"."""
    found = _WHO.match(piece)
    if not found or not is_animate(found[2]):
        return [piece]
    name = re.sub(r"^\s*,?\s*(?:called|named)?\s*", "", found[3] or "")
    main = piece[: found.start(4)].rstrip(" ,")
    main = re.sub(r",?\s+(?:who|that|which)$", "", main)
    if not split_subject(main)[1] or not _starts_clause(f"i {found[4]}", ""):
        return [piece]
    noun = " ".join(word for word in (_modifiers(found[1]), found[2], name) if word)
    return [main, f"my {noun} {found[4]}"]


def _modifiers(before: str) -> str:
    """The words between the last article and the noun: `older` of "an older sister"."""
    return re.split(r"\b(?:an?|my|our|the)\s+", before, flags=re.I)[-1].strip()


def _antecedent(clause: str) -> str:
    """The person or animal a clause brings up, as a subject for the next one; else blank."""
    subject, _ = split_subject(clause)
    for found in _ANIMATE.finditer(clause):
        for end, word in enumerate(words := found[2].split(), 1):
            if word.lower() in _NOT_IN_A_NAME:
                break
            if is_animate(word):
                owned = word.removesuffix("'s")
                name = [w for w in clause[found.end() :].split()[:1] if end == len(words)]
                name = [*words[end : end + 1], *name][:1]
                tail = [w.strip(",.") for w in name if is_capital(w) and owned == word]
                return " ".join([_whose(found[1], subject), *words[: end - 1], owned, *tail])
    if subject and is_capital(subject) and subject.lower() not in _PRONOUNS | _DETERMINERS:
        return subject
    return ""


def _whose(determiner: str, subject: str) -> str:
    """Say whose "her twins" are: those of whom the clause is about."""
    if determiner.lower() in ("her", "his", "their") and subject:
        return subject + "'s"
    return "my"


def _thing(clause: str) -> str:
    subject, _ = split_subject(clause)
    if subject.lower().startswith(("my ", "our ", "the ")):
        return subject
    found = re.search(
        r"\b(?:my|our|an?)\s+((?:[\w'-]+\s+){0,2}?[\w'-]+)(?=$|[,.]|\s+(?:in|on|at|from|with|for"
        r"|last|this|called|named|that|which|to)\b)",
        clause,
        re.I,
    )
    return "my " + found[1] if found else ""


_REFERS = re.compile(r"^(she|he|they|it|her|his|their|its|that|this)\b\s*", re.I)


def _resolve(clause: str, who: str, what: str) -> str:
    found = _REFERS.match(clause)
    if not found:
        return clause
    pronoun = found[1].lower()
    target = what or who if pronoun in {"it", "its", "that", "this"} else who
    if not target:
        return clause
    rest = clause[found.end() :]
    if pronoun in {"her", "his", "their", "its"}:
        return f"{target}'s {rest}"
    if pronoun == "they" and rest.startswith(("are ", "have ", "do ", "were ")):
        verb, _, tail = rest.partition(" ")
        rest = {"are": "is", "have": "has", "do": "does", "were": "was"}[verb] + " " + tail
    return f"{target} {rest}"


_OPENING = re.compile(r"^((?:\S+\s+){0,6}?\S+?),?\s+((?:i|we)\s+\S.*)$", re.I)
_OPENING_TIME = re.compile(
    r"^((?:on|in|at|every|since|after|before|during|from|until|once|twice|each)\s"
    r"(?:\S+\s+){0,4}?\S+?),?\s+((?:my|our|the)\s+\S.*)$",
    re.I,
)
_IMPERATIVE = BASE | {"tell", "imagine", "say", "think", "let", "pretend", "suppose", "guess"}
_HEADING = re.compile(r"^(?:[a-z][a-z']* ){0,5}[a-z][a-z']*:\s+(?=(?:i|we|my|our)\b)", re.I)
_NO_OPENING = re.compile(
    r"\b(?:i|we|my|our|you|is|are|was|were|have|had|has|do|does|did|will|that|if|when|what|because"
    r"|who|how|and|though|as|she|he|they|it|the|than|while)\b(?!\s+(?:morning|evening|weekend"
    r"|summer|winter)s?\b)",
    re.I,
)


def _opening_last(text: str) -> str:
    """Move "Every morning" behind what it opens, so that a clause begins with its subject."""
    text = _HEADING.sub("", text)
    found = _OPENING.match(text) or _OPENING_TIME.match(text)
    if not found or _NO_OPENING.search(found[1]) or found[1].split()[0].lower() in _IMPERATIVE:
        return text
    return f"{found[2]} {found[1][:1].lower()}{found[1][1:]}"


def _pieces(sentence: str) -> list[str]:
    """Split a sentence, asides ("my sister, who lives in Porto, …") and tails taken off."""
    text = _TAIL.sub("", without_lead(sentence).rstrip(" .!?,;:"))
    aside = _ASIDE.match(text)
    parts = [text]
    if aside and is_finite(aside["verb"]):
        parts = [f"{aside[1]} {aside[3]}", f"{aside[1]} {aside[2]}"]
    return [piece for part in parts for piece in split_clauses(part)]


def clauses(text: str) -> list[Clause]:
    """Read a message clause by clause; what cannot stand alone stays with the clause before."""
    found: list[Clause] = []
    who = what = ""
    for sentence in sentences(plain(text)):
        for place, piece in enumerate(_pieces(sentence)):
            standing = _opening_last(without_lead(piece).strip())
            resolved = _resolve(standing, who, what).strip(" .!?,;:")
            within = place and found and _HANGING.match(standing)
            if within and (
                _HANGING.match(resolved) or standing.lower().startswith(("it ", "its "))
            ):
                resolved = standing
                found[-1] = Clause(f"{found[-1].text}; {resolved}", sentence)
                continue
            who = _antecedent(resolved) or who
            what = _thing(resolved) or what
            if resolved:
                found.append(Clause(resolved, sentence))
    return found
