"""What is said in passing, and what is worth keeping."""

import re

from app.adk.offline_rules.clauses import split_subject
from app.adk.offline_rules.concepts import is_animate
from app.adk.offline_rules.fact import NOTHING, Known
from app.adk.offline_rules.statement import content
from app.adk.offline_rules.words import stem

_PASSING_STATE = re.compile(
    r"^(?:i|we) (?:am|are|was|were|feel|have been|have)\s+(?:(?:so|very|a bit|a little|really"
    r"|too|quite"
    r"|just|all|not|still|feeling|pretty|kind of|only|back|totally|absolutely|super|now)\s+)*"
    r"(?:fine|good|ok|okay|tired|hungry|thirsty|bored|happy|sad|sorry|back|here|done|ready|glad"
    r"|sure"
    r"|kidding|joking|confused|busy|curious|excited|well|great|late|off|home|at home|thinking"
    r"|wondering|asking|just|impressed|interested|lost|stuck|exhausted|sleepy|cold|hot|sick of"
    r"|annoyed|angry|upset|grateful|thankful|on my way|in a hurry|going to bed|going out|going home"
    r"|testing|trying this|talking|listening|waiting|looking forward|chatting|freezing|starving"
    r"|stressed|worried|relaxed|right|wrong|a question|one question|no idea|no clue|to go|to run"
    r"|to leave|a look|fun|another question|alright|awake|about to|in the mood)\b(?! at\b| of\b"
    r"(?! work)"
    r"| with\b| in\b| as\b)",
    re.I,
)
_SPEECH = re.compile(
    r"^(?:i|we) (?:\w+ly )?(?:guess|wonder|suppose|see|agree|bet|swear|promise|said|say|told"
    r"|asked|ask"
    r"|forgot|forget|do not (?:know|care|remember|think|mind|understand|get|want to)|can not "
    r"(?:remember"
    r"|believe|think|recall|wait|decide)|need you|want you|would like you|will be back|got to|gotta"
    r"|hear|heard|feel like|thought|was thinking|was wondering|was just|will (?:try|think|check"
    r"|see|let)"
    r"|might|may|could|appreciate|understand|doubt|noticed|mean|have (?:no idea|to go|to say|never"
    r" thought)|hope (?:you|it|that)|think|know(?! how)|wish (?:it|you)|got (?:that|it|this) "
    r"|made a mistake|mixed|misspoke|am (?:sorry|sure|not sure|going to go"
    r"|just))\b",
    re.I,
)
_HYPOTHETICAL = re.compile(
    r"^(?:if|imagine|suppose|supposing|pretend|assume|assuming|unless|whether|let us|let me"
    r"|maybe|perhaps"
    r"|what if|say )\b|\bif i (?:were|was|had|could)\b|\bi wish\b|\bwould have\b",
    re.I,
)
_HEARSAY = re.compile(
    r"^(?!i\b|we\b)[\w' -]{2,40}? (?:says?|said|told (?:me|us|you)|tells|claims|claimed|thinks"
    r"|thought"
    r"|asked|asks|wrote|argues|insists|reckons)\b",
    re.I,
)
_JUST_NOW = re.compile(
    r"^(?:i|we) (?:have )?just (?:had|came|got (?:back|home|up|out|in)|finished|saw|went|ate"
    r"|watched|heard|read|made|did"
    r"|woke|noticed|remembered|realised|realized|thought|tried)\b",
    re.I,
)
_OTHERS = re.compile(
    r"^(?:you|your|this|that|there|it|these|those|everyone|everybody|people|who|what"
    r"|some|someone|nobody|one|such|as|like|because|since|when|while|after|before)\b",
    re.I,
)
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
_RENEWS = re.compile(
    r"\b(?:now|no longer|changed|switched|moved|postponed|cancelled|canceled|instead|pushed"
    r"|from now on|become|became|rescheduled|off|new)\b",
    re.I,
)
_EVALUATES = re.compile(
    r"(?:is|are|was|were|looks?|sounds?|seems?|feels?)\s+(?:(?:so|very|really|too|quite|pretty"
    r"|just|a bit|not|all)\s+)*(?:good|great|nice"
    r"|bad|awful|terrible|awesome|amazing|fun|boring|funny|lovely|beautiful|interesting"
    r"|wonderful|horrible|cool|ok|okay"
    r"|fine|right|wrong|true|false|weird|strange|crazy|hilarious|fantastic|sad|annoying|over"
    r"|gone|late|here|there|best|worst|limit)\b",
    re.I,
)


def is_talk(clause: str) -> bool:
    """Tell whether a clause is passing: a mood, a supposition, hearsay, a figure of speech."""
    passing = (
        _PASSING_STATE,
        _HYPOTHETICAL,
        _HEARSAY,
        _WEATHER,
        _QUESTION_WORD,
        _JUST_NOW,
        _SPEECH,
    )
    return any(pattern.search(clause) for pattern in passing)


def is_durable(clause: str, memory: Known = NOTHING) -> bool:
    """Tell whether a clause says something lasting about the user or what is theirs."""
    if len(clause.split()) < 3 or _OTHERS.match(clause) or is_talk(clause):
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
    return bool(subject) and is_animate(subject)
