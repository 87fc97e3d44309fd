"""What a message is: facts, a note, a question, a request to forget, or talk."""

import re
from dataclasses import dataclass
from datetime import datetime

from app.adk.offline_rules import replies
from app.adk.offline_rules.clauses import sentences, without_lead
from app.adk.offline_rules.concepts import known
from app.adk.offline_rules.fact import Fact, Known
from app.adk.offline_rules.facts import read_facts, tells
from app.adk.offline_rules.forms import keep
from app.adk.offline_rules.question import Question, is_question, read_question
from app.adk.offline_rules.render import tidy
from app.adk.offline_rules.seen import Seen
from app.adk.offline_rules.statement import content, read_line
from app.adk.offline_rules.words import STOP, expand, plain, stem, tokens

LONG = 280
"""From how many characters on a text of several sentences is kept as a note."""

READ = 4000
"""How many characters of a message are read; a longer one is kept whole, as a note."""

_REMEMBER = re.compile(
    r"^(?:please |can you |could you |hey,? |ok,? |also,? )*(?:remember|note(?: down)?"
    r"|keep in mind|bear in mind|do not forget|don't forget|never forget|make a note(?: of)?"
    r"|take a note|write (?:this |that |it )?down|jot (?:this |that )?down|save(?: this| that)?"
    r"|store(?: this| that)?|log(?: this| that)?|archive(?: this| that)?|add (?:this )?to (?:my"
    r"|your) (?:notes|memory)|memori[sz]e|remind me)(?: this| that| to you)?"
    r"(?:\s*[:,;\u2013\u2014-]\s*|\s+(?:that\s+|this:\s*)?)(?P<rest>\S.*)$",
    re.I | re.S,
)
_FORGET = re.compile(
    r"^(?:please |can you |could you )*(?:forget|delete|erase|remove|drop|strike|clear)\s+"
    r"(?:about |that |what (?:i said|you know) about |the (?:fact|note|line) (?:that |about )?"
    r"|everything about )*(?P<what>\S.*)$",
    re.I | re.S,
)
_OVERVIEW = re.compile(
    r"\b(?:what|anything|everything|all|stuff) (?:else )?(?:do |did |have |that )?(?:you|u) "
    r"(?:already )?(?:know|remember|learn|learnt|learned|have(?: saved| stored| on)?|got|saved"
    r"|stored|noted)(?: so far)?(?: about)? (?:me|myself)\b|\btell me (?:everything |all "
    r"|what you know )?about (?:me|myself)\b|\bwhat (?:is|do you have) in (?:your|my"
    r"|core) memory\b|\bwhat do you (?:know|remember)(?: so far)?\??$|\bdo you know "
    r"(?:anything about )?me\b|\bdescribe me\b|\bsumm?ari[sz]e (?:me|what you know)\b|^who am i\b"
    r"(?! (?:going|meeting|seeing|visiting|with))",
    re.I,
)
_CLOCK = re.compile(
    r"\bwhat(?: is|'s|s)? (?:the )?(?:current )?time(?: is it)?(?: now| right now)?\s*\??$"
    r"|\bwhat time is it\b|\bwhat(?:'s| is) the (?:date|day)\b(?: today| now)?\s*\??$|\b(?:what"
    r"|which) (?:day|date|year|month)(?: of the week)? (?:is it|is today|do we have|are we in)\b"
    r"|\btoday's date\b|\bwhat is today\b",
    re.I,
)
_TALK = (
    (r"^(?:thanks|thank you|thx|ty|cheers|much appreciated|many thanks)\b", "You are welcome."),
    (
        r"^(?:bye|goodbye|good night|see you|see ya|later|cu|ciao|talk (?:to you )?(?:later"
        r"|soon))\b",
        "Goodbye. I will keep what you told me.",
    ),
    (
        r"\bhow are you\b|\bhow(?:'s| is) it going\b|\bhow do you do\b|\bwhat(?:'s| is) up\b",
        "All is well here, thank you. What would you like me to remember or find?",
    ),
    (
        r"\bwho are you\b|\bwhat are you\b|\bwhat can you do\b|\bhow do you work\b|\bare you "
        r"(?:an? )?(?:ai|bot|human|real|robot|person|language model|llm|gpt|gemini)\b"
        r"|\byour name\b|\bhow can you help\b|^help\b|\bwhat do you do\b",
        replies.ABLE,
    ),
    (
        r"^(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon)|greetings|yo"
        r"|howdy)\b[\s\w]{0,12}[!. ]*$",
        "Hello! Tell me something about yourself, or ask me about what you told me before.",
    ),
    (
        r"^(?:ok|okay|k|yes|yep|yeah|sure|fine|no|nope|nah|right|alright|great|good|nice|cool"
        r"|perfect|lol|haha|ha|wow|hm+|i see|got it|awesome|interesting|exactly|never mind"
        r"|nevermind)\b[\w\s,]{0,20}[!. ]*$",
        "All right.",
    ),
)
_COMMAND = re.compile(
    r"^(?:please |can you |could you |would you |will you |i (?:want|need|would like) you to )*"
    r"(?:write|translate|compose|draft|calculate|compute|tell me (?:a|an|another|some) (?:joke"
    r"|story|poem|fun|riddle)|sing|draw|generate|create|code|program|fix|debug|explain|solve|book"
    r"|order|call|email|send|set (?:a|an) (?:timer|alarm)|play|open|search the web|google|convert"
    r"|count|give me (?:a|an|some)|make me|help me|recommend|suggest|rewrite|proofread"
    r"|summari[sz]e this|ignore|pretend|act as)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Message:
    """What the user wants with a message; fields that do not apply are empty.

    Attributes:
        facts: What it says that belongs in core memory.
        note: What it says that belongs in archival memory, in the user's own words.
        question: What it asks of memory.
        overview: Whether it asks for all that core memory holds.
        forget: What is to be forgotten.
        swap: A value and the one that takes its place.
        reply: What to say when nothing is to be kept or found.
    """

    facts: tuple[Fact, ...] = ()
    note: str = ""
    question: Question | None = None
    overview: bool = False
    forget: str = ""
    swap: tuple[str, str] = ("", "")
    reply: str = ""


def read_message(seen: Seen, swap: tuple[str, str], memory: Known) -> Message:
    """Read what the user wants; `memory` tells whom and what is known."""
    text, now = seen.text[:READ], seen.now
    cleaned = expand(text).strip()
    if not re.search(r"\w", cleaned):
        return Message(reply="Say something, and I will see whether I can keep it or find it.")
    if len(seen.text) > READ:
        facts = tuple(filter(_is_identity, read_facts(text, memory)))
        return Message(facts=facts, note=seen.text.strip())
    found = (
        _forgetting(cleaned) or _remembering(text, cleaned, memory) or _asking(text, now, memory)
    )
    return found or _telling(text, cleaned, seen.previous, swap, memory)


def _forgetting(cleaned: str) -> Message | None:
    found = _FORGET.match(cleaned)
    if not found or cleaned.endswith("?") or re.match(r"(?:it|that|this)\W*$", found["what"], re.I):
        return None
    return Message(forget=found["what"].strip(" .!"))


def _remembering(text: str, cleaned: str, memory: Known) -> Message | None:
    found = _REMEMBER.match(plain(text).strip())
    if (
        not found
        or plain(text).rstrip().endswith("?")
        or re.match(r"(?:what|who|where|when|how|of|about)\b", found["rest"], re.I)
    ):
        return None
    if re.match(r"remind me (?!to\b|that\b)", cleaned, re.I):
        return None
    rest = text.strip()[found.start("rest") :]
    if rest.lower().startswith("to "):
        return Message(note=text.strip(), reply=replies.NO_ALARM)
    facts = tuple(read_facts(rest, memory)) if len(rest) < LONG else ()
    if facts and len(facts) >= len(sentences(rest)):
        return Message(facts=facts)
    return Message(note=rest)


def _asking(text: str, now: datetime, memory: Known) -> Message | None:
    asked = [s for s in sentences(plain(text)) if is_question(s) and not tells(s)]
    if not asked or (len(text) > LONG and len(asked) < len(sentences(text))):
        return None
    sentence = expand(asked[-1])
    facts = tuple(read_facts(text, memory))
    if _OVERVIEW.search(sentence):
        return Message(facts=facts, overview=True)
    if _CLOCK.search(sentence):
        return Message(facts=facts, reply=f"It is {now:%H:%M} on {now:%A}, {now.day} {now:%B %Y}.")
    if _COMMAND.match(sentence) and not re.match(r"^call\b", sentence):
        return Message(facts=facts, reply=replies.UNABLE)
    talk = _talk(sentence)
    if talk:
        return Message(facts=facts, reply=talk)
    return Message(facts=facts, question=read_question(asked[-1]))


def _talk(sentence: str) -> str:
    lead = without_lead(sentence).strip()
    for pattern, reply in _TALK:
        if any(re.search(pattern, s, re.I) for s in (sentence.strip(), lead) if s):
            return reply
    return ""


def _telling(
    text: str, cleaned: str, previous: str, swap: tuple[str, str], memory: Known
) -> Message:
    facts = tuple(read_facts(text, memory))
    if _COMMAND.match(cleaned) and not re.match(r"(?:please )?call me\b", cleaned, re.I):
        return Message(reply=replies.UNABLE)
    if len(text) > LONG and len(sentences(text)) > 1:
        return Message(facts=tuple(filter(_is_identity, facts)), note=text.strip())
    if _is_debrief(cleaned, facts):
        return Message(note=text.strip())
    if facts or swap[0]:
        return Message(facts=facts, swap=("", "") if facts else swap)
    talk = _talk(cleaned)
    told = () if talk else _answer_to(previous, without_lead(cleaned))
    return Message(facts=told, reply=talk or ("" if told else replies.NOTHING_SAVED))


def _is_identity(fact: Fact) -> bool:
    """Tell whether a fact says who the user is, so that it belongs in core memory even so."""
    statement = read_line(fact.line)
    return statement.relation in _IDENTITY and not statement.subject


def _is_debrief(cleaned: str, facts: tuple[Fact, ...]) -> bool:
    """Tell whether a text reports on something that happened, to be kept as it was told."""
    if _EVENT.match(without_lead(cleaned)) and _TWO_PARTS.search(cleaned):
        return True
    return not facts and len(cleaned) > 60 and bool(_DEBRIEF.search(cleaned))


_IDENTITY = frozenset({"name", "home", "job", "employer", "age", "birthday"})
_DEBRIEF = re.compile(
    r"\b(?:interview|meeting|appointment|conference|call with|talked to|met with|spoke (?:to|with)"
    r"|debrief|visit|exam|lesson|session|workshop|trip|dinner with|lunch with|idea|recipe|plan"
    r"|summary|notes?)\b",
    re.I,
)
_EVENT = re.compile(
    r"^(?:i|we) (?:have |had )?(?:just |only just |finally |today |yesterday )*(?:had|came"
    r"|got back|got out|finished|attended|met|spoke|talked|went|completed|visited|returned"
    r"|sat down)\b(?! (?:my|an?) \w+ (?:called|named))|^(?:debrief|notes?|summary|recap"
    r"|meeting notes?|interview notes?)\b",
    re.I,
)
_TWO_PARTS = re.compile(r"[:;]\s|[.!]\s+\S|,\s+(?:and|they|he|she|we)\b")
_ASKED = re.compile(r"You asked “(?P<q>.+?)”; tell me")
_BE = re.compile(
    r"^(?:what|who|where|when|how old|how much|which \w+) (?P<be>is|are|am|was) "
    r"(?P<np>.+?)[\s?.!]*$",
    re.I,
)


def _answer_to(previous: str, text: str) -> tuple[Fact, ...]:
    """Read "Rex" or "It's Rex" after the agent said that it does not know the dog's name."""
    asked = _ASKED.search(previous)
    found = _BE.match(expand(asked["q"])) if asked else None
    answer = re.sub(
        r"^(?:it|that|he|she|they|this|the answer) (?:is|are|was)\s+", "", text, flags=re.I
    ).strip(" .!")
    if not found or not answer or len(answer) > 120:
        return ()
    thing = re.sub(r"(?:'s name| called| named)$", "", found["np"])
    if thing != found["np"]:
        answer = re.sub(r"^(?:called|named)\s+", "", answer)
        clause = f"{thing} is called {answer}"
    else:
        clause = f"{thing} {found['be']} {answer}"
    lines = keep(clause) or [tidy(f"{thing}: {answer}")]
    return tuple(Fact(line, clause, False, False) for line in lines)


def tags_for(text: str) -> list[str]:
    """Choose one to three words that say what a note is about."""
    words = [w.lower() for w in tokens(text) if len(w) > 3 and stem(w) not in STOP and w.isalpha()]
    rated = sorted(set(words), key=lambda w: (-words.count(w), not known(w), words.index(w)))
    chosen = [word for word in rated if known(word) or words.count(word) > 1][:3]
    return chosen or rated[:1] or ["note"]


def best_line(what: str, lines: list[str]) -> str:
    """Find the line that a request to forget means; blank when none or two are as good."""
    asked = content(what)
    rated = sorted(((len(asked & content(line)), line) for line in lines), reverse=True)
    if not rated or not rated[0][0] or (len(rated) > 1 and rated[0][0] == rated[1][0]):
        return ""
    return rated[0][1]
