"""What a question asks for: about whom, by which words, and what kind of answer."""

import re
from dataclasses import dataclass

from app.adk.offline_rules.concepts import PERSONAL, Term, closure, known, terms
from app.adk.offline_rules.words import STOP, expand, is_capital, plain, stem, tokens, word_set

_ASKS = re.compile(
    r"^(?:who|whom|whose|what|which|when|where|why|how)\b|^(?:do|does|did|is|are|was|were|am|have"
    r"|has|had|can|could|will|would|should|may) (?:i|we|my|our|you|the|there|any|she|he|they|it"
    r"|[A-Z]\w*)\b",
)
_ASKING_LEAD = re.compile(
    r"^(?:(?:(?:can|could|would|will) you(?: please| kindly| maybe)? (?:tell me|remind me|look up"
    r"|check|say|recall|find(?: out)?|help me remember)|(?:please )?(?:tell me|remind me|look up"
    r"|recall)|do you (?:still |happen to )?(?:know|remember|recall|have any idea)|any (?:idea"
    r"|clue)|you know|i (?:have )?(?:forgot|forgotten|forget|can not (?:remember|recall)|do not "
    r"(?:remember|recall)|wonder|am wondering|need to know|want to know|would like to know"
    r"|was wondering)|have i (?:ever )?(?:told you|mentioned|said)|did i (?:ever )?(?:tell you"
    r"|mention|say)|do we know|what did i (?:tell you|say|mention) about(?= (?:who|what|where|when"
    r"|which|how))|quick question|question|so|and|hey|hi|hello|ok|okay|well|please|just|again"
    r"|once more|by the way|btw|sorry|oh|hmm|now|also|then|but|remember|let me see"
    r"|out of curiosity|for the record|one more|another one|thanks|great|good morning|good evening"
    r"|if you (?:still )?(?:know|remember))\b[\s,:;.!\u2013\u2014-]*(?:again\b[\s,]*)?(?:that (?="
    r"(?:i|my|we|our)\b)|if |whether )?)+",
    re.I,
)

LIGHT = frozenset(
    stem(word)
    for word in word_set(
        """have do use take make want plan need keep find put come buy own call name love go
        get give see look enjoy hold bring work run start happen use called new current
        currently big little main full own exact exactly particular certain special usual
        next last person people place way time day long time early late soon old far much
        many often start supposed meant planning thinking item stuff detail information info
        about word term each regularly typically generally actual proper whole these those
        different various specific belong regular every end turn spend suppose mean use used
        think involve exist serve hope right long house home flat wear high tall trouble
        attend another other extra bother pay front cook"""
    )
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        asked: The question as typed.
        text: The question without what leads up to it.
        kind: `who`, `where`, `when`, `how many`, `why`, `name`, `yes or no` or `what`.
        owners: The people and animals it mentions.
        terms: The other words that carry meaning.
        wanted: The noun of "which instrument": what the answer is a kind of.
        about: Whether it asks for everything on a topic.
        several: Whether more than one line may answer it.
    """

    asked: str
    text: str
    kind: str
    owners: tuple[Term, ...]
    terms: tuple[Term, ...]
    wanted: Term | None
    about: bool
    several: bool


def is_question(sentence: str) -> bool:
    """Tell whether a sentence asks for something that memory might hold."""
    cleaned = expand(sentence).strip()
    if cleaned.endswith("?"):
        return True
    lead = _ASKING_LEAD.match(cleaned)
    rest = cleaned[lead.end() :] if lead else cleaned
    led = bool(lead) and bool(
        re.search(
            r"\b(?:tell me|remind me|forg[eo]t\w*|can not (?:remember|recall)|look up|do you"
            r"|wonder\w*|know)\b",
            lead[0] if lead else "",
            re.I,
        )
    )
    opening = rest[:1].lower() + rest[1:]
    if re.match(r"(?:to|i|we)\b", opening, re.I) and not led:
        return False
    return bool(_ASKS.match(opening)) or (
        led and bool(re.match(r"(?:my|our|the|about)\b", opening, re.I))
    )


def _kind(text: str) -> str:
    lowered = text.lower()
    for kind, pattern in _KINDS:
        if re.search(pattern, lowered):
            return kind
    return "what"


_KINDS = (
    (
        "name",
        r"\b(?:call|calls|called|address) (?:me|us)\b|\bname of\b|'s name\b|\bnames? (?:is|are|of"
        r"|did|for|again)\b|\b(?:is|are|was|do|does) .+ called\b|\bwhat (?:is|are) .*\bnames?\b"
        r"|\bdid (?:i|we) (?:call|name)\b|\bwhat do (?:i|we) call\b|\bnamed$|\bgoes by\b",
    ),
    (
        "when",
        r"^when\b|\b(?:at |on |in |by )?(?:what|which) (?:time|day|date|month|year|hour|weekday"
        r"|season|evening|morning|night)s?\b|\bhow (?:early|late|soon|long ago)\b|\bsince when\b"
        r"|\bwhen (?:is|are|was|do|does|did|will)\b|\bwhat .*\b(?:date|(?<!free )"
        r"(?<!spare )time)\b",
    ),
    (
        "how many",
        r"\bhow (?:many|much|old|tall|long|far|heavy|big|large|fast|often)\b|\b(?:what|which) "
        r"(?:number|age|height|weight|amount|size)\b",
    ),
    (
        "where",
        r"^where\b|\b(?:what|which) (?:city|town|country|place|village|street)\b|\bwhere (?:is|are"
        r"|was|do|does|did|am)\b|\bwhereabouts\b",
    ),
    ("who", r"^who(?:m|se)?\b|\bwith whom\b|\bwho (?:is|are|was|do|does|did)\b"),
    ("why", r"^why\b|\bwhat .*\breason\b|\bhow come\b"),
    (
        "yes or no",
        r"^(?:do|does|did|is|are|was|were|am|have|has|had|can|could|will|would|should|may)\b",
    ),
)

_ABOUT = re.compile(
    r"^(?:what (?:else )?(?:do|did|can) (?:you|i|we) (?:know|remember|have|tell you|say|tell me"
    r"|note|save|store|mention)|tell me(?: more| something| everything)?|everything|anything|what "
    r"(?:is|are) (?:in )?(?:my|your) (?:notes?|memor\w+)|(?:do you have|are there|have i (?:any"
    r"|saved)) .*notes?|what (?:do|did) my notes? say|show me|find|search(?: for)?|look for|list"
    r"|about|summari[sz]e|what happened)\b.*?\b(?:about|on|regarding|concerning|from|of|with|at|in"
    r"|for|my notes|memory|notes)?\b",
    re.I,
)


def _job_question(text: str) -> str:
    """Read "what does my sister do?" as asking for a job."""
    found = re.match(
        r"^what (?:do|does|did|am|is) (.+?) (?:do|doing)(?: for (?:work|a living|money|a job))?"
        r"(?: these days| now| currently| nowadays| professionally| again| all day)?[\s?.!]*$",
        text,
        re.I,
    )
    text = re.sub(
        r"^what(?: is|'s) the (?:address|location|whereabouts) of\b", "where is", text, flags=re.I
    )
    text = re.sub(
        r"^where (?:is|am|are|was|were) (.+?) (?:originally )?from\b",
        r"where does \1 come from",
        text,
        flags=re.I,
    )
    if found:
        return f"what is the job of {found[1]}"
    return re.sub(
        r"\bhow old\b",
        "what age",
        re.sub(
            r"\bhow heavy\b",
            "what weight",
            re.sub(r"\bhow tall\b", "what height", text, flags=re.I),
            flags=re.I,
        ),
        flags=re.I,
    )


def _shown(term: Term) -> bool:
    return term.stem not in STOP


def _wanted(text: str) -> Term | None:
    """Find the noun of "which instrument do I play", "what kind of car"."""
    found = re.search(
        r"\b(?:what|which)(?: (?:kind|sort|type|brand|make|style|flavou?r|variety|breed)s? of)? ("
        r"(?:[\w'-]+ ){0,3}?[\w'-]+) (?:is|are|am|was|were|do|does|did|have|has|had|can|could|will"
        r"|would|should)\b",
        text,
        re.I,
    )
    if not found:
        return None
    nouns = [term for term in terms(found[1]) if _shown(term)]
    return nouns[-1] if nouns else None


_DOINGS = word_set("liv work shar report rent look marry engag dat")


def _is_owner(term: Term, capitals: frozenset[str]) -> bool:
    if term.stem.split()[0] in _DOINGS:
        return False
    if any(kind in closure(term.stem) for kind in PERSONAL) and term.concepts != frozenset(
        {"=person"}
    ):
        return not term.concepts & {"=pet", "=relative", "=person"} or not term.concepts
    return term.stem in capitals


_NOWADAYS = re.compile(
    r"\b(?:at the moment|at present|right now|these days|nowadays|currently|again|once more)\b",
    re.I,
)


def read_question(text: str) -> Question:
    """Read what a question asks for."""
    cleaned = expand(text).strip()
    lead = _ASKING_LEAD.match(cleaned)
    bare = cleaned[lead.end() :] if lead and lead.end() < len(cleaned) else cleaned
    about = bool(_ABOUT.match(cleaned)) or bare.lower().startswith("about ")
    asked = _job_question(bare)
    asked = _NOWADAYS.sub("", asked)
    asked = re.sub(
        r"\b(can|could|do|does|did|is|are|will|would|should) not (i|we|he|she|they|my \w+)\b",
        r"\2 \1 not",
        asked,
        flags=re.I,
    )
    if _OWN_NAME.search(asked):
        return Question(plain(text).strip(), bare, "name", (), (), None, False, False)
    words = tokens(asked)
    capitals = frozenset(stem(w) for w in words[1:] if is_capital(w) and not known(w))
    found = [term for term in terms(asked) if _shown(term)]
    owners = tuple(term for term in found if _is_owner(term, capitals))
    others = tuple(dict.fromkeys(term for term in found if term not in owners))
    return Question(
        plain(text).strip(),
        bare,
        _kind(bare),
        owners,
        others,
        _wanted(asked),
        about,
        _several(bare),
    )


_OWN_NAME = re.compile(
    r"\b(?:call|calls|called|address|addressed) (?:me|us)\b(?! (?:when|at|on|about|back))"
    r"|\bam i called\b",
    re.I,
)


def _several(text: str) -> bool:
    return bool(
        re.search(
            r"^(?:what|which|who)(?: kinds? of| sorts? of| types? of)? (?:\w+ )?(?!does\b|is\b"
            r"|was\b|has\b)(?:\w+[^\Ws]s|people|children)\b|\b(?:all|any|list|every|everything"
            r"|things|hobbies|pets|languages|kids|children)\b|\bwhat (?:else )?do i (?:like|love"
            r"|enjoy|hate|dislike)\b|\bwhat (?:food|drink)",
            text.lower(),
        )
    ) and not re.match(r"^(?:what|which|who)(?: is|'s|s) ", text.lower())
