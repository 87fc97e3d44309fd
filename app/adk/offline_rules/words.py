"""From text to comparable words: contractions, tokens, stems."""

import re
from functools import lru_cache

TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def word_set(written: str) -> frozenset[str]:
    """Make a set of words written with blanks between them."""
    return frozenset(written.split())


_CONTRACTIONS = (
    (r"\bcan't\b", "can not"),
    (r"\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"\bain't\b", "is not"),
    (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must|need)n't\b", r"\1 not"),
    (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|ca|wo)nt\b", r"\1 not"),
    (r"\bi'?m\b", "i am"),
    (r"\blet's\b", "let us"),
    (r"\b(i|you|we|they|who)'ve\b", r"\1 have"),
    (r"\b(you|we|they)'re\b", r"\1 are"),
    (r"\b(\w+)'ll\b", r"\1 will"),
    (r"\b(i|you|we|they|he|she)'d\b", r"\1 would"),
    (r"\b(there|he|she|it|that)'s been\b", r"\1 has been"),
    (r"\b(what|who|where|when|how|which|that|there|here|he|she|it|name)'s\b", r"\1 is"),
    (r"\b(what|who|where|when)s\b", r"\1 is"),
    (r"\b([a-z]{2,})'s been\b", r"\1 has been"),
    (
        r"\b([a-z]{2,})'s (?=(?:just |now |recently |finally )?(?:moved|changed|switched|started"
        r"|stopped|got)\b)",
        r"\1 has ",
    ),
    (
        r"\b(my [a-z]{2,})'s (?=(?-i:[A-Z])[\w.]+(?: (?-i:[A-Z])[\w-]+)*(?:[,.;!]|$| and\b))",
        r"\1 is ",
    ),
    (
        r"\b((?-i:[A-Z])[a-z]+|mum|mom|dad|mother|father|sister|brother|wife|husband|son|daughter"
        r"|boss|friend|partner|girlfriend|boyfriend)'s (?<!\bst )(?=(?:in|at|on|from|with)\b)",
        r"\1 is ",
    ),
    (
        r"\b(?<!\bst )([a-z]{2,})'s (?=(?:an?|the|called|named|not|allergic|my|our|about|very|so"
        r"|getting|scared|afraid|married|due|\d+|(?!(?:wedd|even|morn|build|paint|meet|train|park"
        r"|cloth|feel|sibl|stand)ing)[a-z]{2,}ing)\b)",
        r"\1 is ",
    ),
)

IRREGULAR = {
    form: base
    for base, forms in {
        "be": "am is are was were been being",
        "have": "has had having",
        "do": "does did done doing",
        "go": "goes went gone going",
        "get": "got gotten getting",
        "drive": "drove driven",
        "eat": "ate eaten",
        "drink": "drank drunk",
        "buy": "bought",
        "teach": "taught",
        "fly": "flew flown flies",
        "run": "ran running runner runners",
        "speak": "spoke spoken",
        "meet": "met",
        "grow": "grew grown",
        "take": "took taken",
        "give": "gave given",
        "wear": "wore worn",
        "ride": "rode ridden",
        "sing": "sang sung",
        "swim": "swam swum swimming",
        "write": "wrote written",
        "wake": "woke woken",
        "leave": "leaving leaves",
        "break": "broke broken",
        "keep": "kept",
        "sleep": "slept",
        "sell": "sold",
        "tell": "told",
        "say": "said",
        "think": "thought",
        "know": "knew known",
        "see": "saw seen",
        "make": "made",
        "build": "built",
        "bring": "brought",
        "begin": "began begun",
        "choose": "chose chosen",
        "win": "won",
        "lose": "lost",
        "fall": "fell fallen",
        "hide": "hid hidden",
        "hang": "hung hangs hanging",
        "become": "became",
        "spend": "spent",
        "send": "sent",
        "lend": "lent",
        "pay": "paid",
        "sit": "sat sitting",
        "stand": "stood",
        "understand": "understood",
        "feel": "felt",
        "find": "found",
        "come": "came coming",
        "redo": "redid redone redoing",
        "forget": "forgot forgotten",
        "child": "children",
        "person": "people persons",
        "man": "men",
        "woman": "women",
        "wife": "wives",
        "foot": "feet",
        "tooth": "teeth",
        "mouse": "mice",
        "lie": "lying",
        "die": "died dying dies",
        "study": "studies studied studying",
        "marry": "married marries marriage",
        "glasses": "glasses",
        "news": "news",
        "bus": "bus buses",
        "gas": "gas",
        "tennis": "tennis",
        "chess": "chess",
        "yes": "yes",
        "boss": "boss bosses",
        "frighten": "scare scared scares scaring scary",
        "herring": "herring herrings",
        "wedding": "wedding weddings",
        "evening": "evening evenings",
        "morning": "morning mornings",
        "building": "building buildings",
        "ceiling": "ceiling ceilings",
    }.items()
    for form in forms.split()
}

_STOP_WORDS = """
    a an the this that these those of in on at to for from with by as and or but if so than
    then be am is are was were been being do does did have has had will would can could should
    may might must shall i me my mine myself we us our ours you your yours he him his she her
    hers it its they them their theirs who whom whose what which when where why how there here
    not no yes please just again also too very really quite about into up out off over some
    any all both ever s t oh hey hi ok okay now currently actually today usually normally
    exactly else one ones am 's tell told know remember recall say said mention mentioned
    remind ask asked because while during per ago till until via along across around through
    towards toward within onto upon already still yet more most much many lot lots kind sort
    type thing things let us get got going go goes went gone these days right done doing
"""


def plain(text: str) -> str:
    """Straighten typographic quotes and dashes; every character keeps its place."""
    return text.translate(_STRAIGHT)


_STRAIGHT = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "`": "'"})
_CONTRACTION_RULES = tuple((re.compile(p, re.I), r) for p, r in _CONTRACTIONS)


@lru_cache(maxsize=2048)
def expand(text: str) -> str:
    """Write contractions out, so that "I'm" and "I am" read the same."""
    text = plain(text)
    for pattern, written_out in _CONTRACTION_RULES:
        text = pattern.sub(written_out, text)
    return text


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Cut a word to a form its inflections share; not always a word itself."""
    word = word.lower().removesuffix("'s").removesuffix("'")
    base = IRREGULAR.get(word)
    return _cut_e(base) if base else _cut_e(_cut_ending(word))


def _cut_ending(word: str) -> str:
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        cut = word.removesuffix(ending)
        if cut != word and len(cut) >= 3 and re.search(r"[aeiouy]", cut):
            doubled = len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "sze"
            doubled = doubled and (cut[-1] != "l" or len(cut) > 5)
            return cut[:-1] if doubled else cut
    return word


def _cut_e(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


STOP = frozenset(stem(word) for word in _STOP_WORDS.split())
"""Stems that carry no meaning of their own."""


def tokens(text: str) -> list[str]:
    """List the words of a text in order, contractions written out, case kept."""
    return [t for t in TOKEN.findall(expand(text)) if t != "s"]


def stems(text: str) -> list[str]:
    """List the stems of a text's words in order."""
    return [stem(token) for token in tokens(text)]


def is_capital(word: str) -> bool:
    """Tell whether a word is written like a name."""
    return word[:1].isupper() and word not in ("I", "I'm")
