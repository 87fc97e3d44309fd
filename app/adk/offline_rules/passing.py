"""What is said in passing, and what is worth keeping."""

import re

from app.adk.offline_rules.clauses import split_subject, without_lead
from app.adk.offline_rules.concepts import is_animate
from app.adk.offline_rules.fact import NOTHING, Known
from app.adk.offline_rules.statement import content
from app.adk.offline_rules.verbs import BASE
from app.adk.offline_rules.words import stem

_PASSING_STATE = re.compile(
    r"^(?:i|we) (?:am|are|was|were|feel|have been|have)\s+(?:(?:so|very|a bit|a little|really|too"
    r"|quite|just|all|not|still|feeling|pretty|kind of|only|back|totally|absolutely|super"
    r"|now)\s+)*(?:fine|good|ok|okay|tired|hungry|thirsty|bored|happy|sad|sorry|back|here|done"
    r"|ready|glad|sure|kidding|joking|confused|busy|curious|excited|well|great|late|off|home"
    r"|at home|thinking|wondering|asking|just|impressed|interested|lost|stuck|exhausted|sleepy"
    r"|cold|hot|sick of|annoyed|angry|upset|grateful|thankful|on my way|in a hurry|going to bed"
    r"|going out|going home|testing|trying this|talking|listening|waiting|looking forward|chatting"
    r"|freezing|starving|stressed|worried|relaxed|right|wrong|a question|one question|no idea"
    r"|no clue|to go|to run|to leave|a look|fun|another question|alright|awake|away|about to"
    r"|in the mood)\b(?! at\b| of\b(?! work)| with\b| in\b| as\b)",
    re.I,
)
_SPEECH = re.compile(
    r"^(?:i|we) (?:\w+ly )?(?:guess|wonder|suppose|see|agree|bet|swear|promise|said|say|told|asked"
    r"|ask|forgot|forget|do not (?:know|care|remember|think|mind|understand|get|want to)|can not "
    r"(?:remember|believe|think|recall|wait|decide)|need (?:you|your|help|to ask)\b|want you"
    r"|would like you|will be back|got to|gotta|hear|heard|feel like|thought|was thinking"
    r"|was wondering|was just|will (?:try|think|check|see|let)|might|may|could|appreciate"
    r"|understand|doubt|noticed|mean|have (?:no idea|to go|to say|never thought)|hope (?:you|it"
    r"|that)|think|know(?! how)|wish (?:it|you)|got (?:that|it|this) |made a mistake|mixed"
    r"|misspoke|am (?:sorry|sure|not sure|going to go|just))\b",
    re.I,
)
_HYPOTHETICAL = re.compile(
    r"^(?:if|imagine|suppose|supposing|pretend|assume|assuming|unless|whether|let us|let me|maybe"
    r"|perhaps|what if|say )\b|\bif i (?:were|was|had|could)\b|\bi wish\b|\bwould have\b",
    re.I,
)
_HEARSAY = re.compile(
    r"^(?!i\b|we\b)[\w' -]{2,40}? (?:says?(?! i\b| we\b)|said|told (?:me|us|you)(?! to\b)|tells"
    r"|claims|claimed|thinks|thought|asked|asks|wrote|argues|insists|reckons)\b",
    re.I,
)
_SHALL_WE = re.compile(r"^we (?:should|could|can|shall)\b", re.I)
_ONE_OFF = re.compile(
    r"^(?:i|we) (?:ate|drank|watched|slept|cooked|woke|went|had (?!(?:my|our|his|her|to|surgery"
    r"|an? (?:operation|accident|stroke|baby|heart))\b))(?!.*(?:\b(?:19|20)\d\d\b|\bwhen i was\b"
    r"|\bas a\b|\bevery\b|\balways\b|\bschool\b|\buniversity\b|\bcollege\b|\byears?\b))",
    re.I,
)
_JUST_NOW = re.compile(
    r"^(?:i|we) (?:have )?just (?:had|came|got (?:back|home|up|out|in)|finished|saw|went|ate"
    r"|watched|heard|read|made|did|woke|noticed|remembered|realised|realized|thought|tried)\b",
    re.I,
)
_AT_IT = re.compile(
    r"^(?:i|we) (?:am|are) (?:eating|drinking|watching|cooking"
    r"|having\b.*\b(?:breakfast|lunch|dinner|supper|snack|coffee|nap|bath|shower|break))\b",
    re.I,
)
_QUOTES = re.compile(
    r"^(?!i\b|we\b)[\w' -]{2,60}? (?:says?|said|told \w+|wrote|shouted|asked)\b\W*[\"'](?=\w)",
    re.I,
)
_OTHERS = re.compile(
    r"^(?:you|your|this|that|there|it|these|those|everyone|everybody|people|who|what|some|someone"
    r"|nobody|one|such|as|like|because|since|when|while|after|before)\b",
    re.I,
)
_PASSING_TIME = re.compile(
    r"\b(?:yesterday|last night|this morning|this afternoon|this evening|tonight|today|right now"
    r"|a minute ago|an hour ago|earlier|just now|at the moment|the other day|tomorrow morning)\b",
    re.I,
)
_LASTING = re.compile(
    r"\b(?:got (?:an?|my|our|engaged|married|promoted|divorced|hired)|adopted|bought|started"
    r"|joined|moved|married|engaged|quit|sold|passed|graduated|signed|hired|promoted|broke|booked"
    r"|switched|changed|born|finished|lost my|won|diagnosed|retired|is|am|have|are|has|will"
    r"|going to|starts?|named|called|took up|gave up|stopped)\b",
    re.I,
)
_WEATHER = re.compile(
    r"^(?!i\b|we\b|my\b|our\b).*\b(?:weather|raining|sunny|snowing|cloudy|windy|traffic)\b", re.I
)
_QUESTION_WORD = re.compile(r"^(?:who|what|where|when|why|how|which|whose)\b", re.I)
_RENEWS = re.compile(
    r"\b(?:now|no longer|changed|switched|moved|postponed|cancelled|canceled|instead|pushed"
    r"|from now on|become|became|rescheduled|off|new)\b",
    re.I,
)
_EVALUATES = re.compile(
    r"(?:is|are|was|were|looks?|sounds?|seems?|feels?)\s+(?:(?:so|very|really|too|quite|pretty"
    r"|just|a bit|not|all)\s+)*(?:good|great|nice|bad|awful|terrible|awesome|amazing|fun|boring"
    r"|funny|lovely|beautiful|interesting|wonderful|horrible|cool|ok|okay|fine|right|wrong|true"
    r"|false|weird|strange|crazy|hilarious|fantastic|sad|annoying|over|gone|late|here|there|best"
    r"|worst|limit)\b",
    re.I,
)


def is_supposed(sentence: str) -> bool:
    """Tell whether a sentence only supposes or quotes somebody: it tells nothing of the user."""
    words = without_lead(sentence)
    return bool(_HYPOTHETICAL.match(words) or _QUOTES.match(words))


def is_talk(clause: str) -> bool:
    """Tell whether a clause is passing: a mood, a supposition, hearsay, a figure of speech."""
    passing = (
        _PASSING_STATE,
        _HYPOTHETICAL,
        _HEARSAY,
        _WEATHER,
        _QUESTION_WORD,
        _JUST_NOW,
        _ONE_OFF,
        _AT_IT,
        _SHALL_WE,
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
    if not subject and clause.split(maxsplit=1)[0].lower() in BASE:
        return False
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
