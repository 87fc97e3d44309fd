"""Verb forms: which words are finite verbs, and their third person."""

from app.adk.offline_rules.words import IRREGULAR, word_set

AUXILIARY = word_set(
    """is are was were am has have had does do did will would can could should may might must
    shall"""
)

# Verbs that are hardly ever nouns.
_PLAIN = word_set(
    """live reside have own teach speak eat hate adore enjoy prefer bring buy sell sing wear
    weigh collect commute volunteer suffer adopt marry graduate belong support attend manage
    lead write read paint earn owe pay rent share raise breed grow bake brew knit sew sketch
    climb ski surf sail row jog swim meditate journal avoid loathe detest keep take make get
    go come leave arrive want need hope intend wish aim learn train prepare save study start
    begin finish stop join become turn move relocate switch change use send give put store
    hide hang sit stand sleep wake lie know mean meet see visit travel fly cycle ride drive
    park hail stem subscribe follow watch listen attend snore bark chew bite lose find break
    win build restore repair fix design code program develop research nurse treat coach mentor
    run play work love like drink cook dance walk help call practise practice smoke plan dream
    sleep celebrate expire close open cost accept open report lecture serve fear miss remember
    depend contain hold include tend happen begin belong feed water stay spend order react
    swell wear wish swap trade replace retire serve land fall pick drop host own hail take
    sign book rely suffer look babysit mind clean garden fish hike camp sits"""
)

_ALSO_NOUNS = word_set(
    """work play run drink love plan study walk cook dance drive ride swim help call paint hope
    dream sleep smoke train visit start travel move stay fish garden water code design program
    order share report pick drop host park coach mentor nurse book sign trade turn use watch
    show fear rent change climb ski row surf sail cycle mind feed land fall wish aim cost brew
    camp hike look practice row book need guide"""
)

BASE = frozenset(_PLAIN)
_NOUNS = word_set("child person man woman foot tooth mouse wife be")
PAST = frozenset(
    form
    for form, base in IRREGULAR.items()
    if not form.endswith(("s", "ing", "en", "er")) and form != base and base not in _NOUNS
) | {
    "born",
    "went",
    "grew",
    "had",
    "was",
    "were",
    "did",
    "made",
    "came",
    "became",
    "quit",
    "left",
    "hurt",
}

_FOLLOWERS = word_set(
    """a an the my our his her their its as at in on for from with to by about of every each two
    three four five six seven eight nine ten some no one it him them me us only mostly both
    part full very well early late too there here up down out off over together weekly daily
    again"""
)


def past(word: str) -> bool:
    """Tell whether a lower-case word looks like a verb in the past tense."""
    return word in PAST or (word.endswith("ed") and len(word) > 4)


def third(verb: str) -> str:
    """Write a base form in the third person: `live` becomes `lives`."""
    special = {"have": "has", "do": "does", "go": "goes", "am": "is", "are": "is", "were": "was"}
    if verb in special:
        return special[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


THIRD = frozenset(third(verb) for verb in BASE)


def is_finite(word: str, following: str = "", plural: bool = False) -> bool:
    """Tell whether a word starts a predicate, judged by its form and by the word after it.

    With `plural` base forms count ("I live"), without it third-person forms do ("she lives").
    """
    word = word.lower()
    if word in AUXILIARY or past(word):
        return True
    if not plural:
        return word in THIRD
    if word not in BASE:
        return False
    return word not in _ALSO_NOUNS or not following or following.lower() in _FOLLOWERS
