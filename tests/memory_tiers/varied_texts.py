"""Texts of many kinds: what people write to an assistant, and what they paste."""

PLACES = ("Lisbon", "Osaka", "São Paulo", "Kraków", "Nairobi")
LANGUAGES = (
    "Ich trinke morgens lieber Tee als Kaffee.",
    "Ma sœur habite à Lyon depuis trois ans.",
    "El jueves tengo una entrevista en el banco.",
    "Мой кот боится грозы и прячется под кроватью.",
    "私は毎朝公園を走っています。",
    "我的生日是三月十四日。请记住。",
    "أحب القهوة بدون سكر",
    "मुझे हिंदी कविता पढ़ना पसंद है।",
    "저는 매운 음식을 못 먹어요.",
    "Θα πάω στη Θεσσαλονίκη τον Μάιο.",
    "אני גר ליד הים",
    "Bonjour, my name is Zoë and ich komme aus Köln.",
)
CODE = (
    "def add(a, b):\n    return a + b",
    "SELECT id, text FROM passages WHERE user_id = ? ORDER BY at DESC LIMIT 10;",
    "for (int i = 0; i < n; ++i) { sum += values[i] * weights[i]; }",
    '{"name": "search", "arguments": {"query": "bike lock", "page": 2}}',
    "git rebase -i HEAD~3 && git push --force-with-lease",
    "<div class='card'><p>Hello & goodbye</p></div>",
    "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
    "https://example.org/a/b?c=d&e=%20f#top",
)
ODD = (
    "🙂🙂 party 🎉",
    "a",
    "ALL CAPITALS AND VERY LOUD",
    "mIxEd CaSe wOrDs",
    "tab\tand\nnew line\r\nand more",
    "  spaces   everywhere  ",
    "x" * 300,
    "{curly} {{braces}} %s $HOME",
    "C++, C#, .NET and node.js",
    "don't, won't, it's, o'clock",
    "état é e\u0301 ﬁ ligature Ⅷ ½",
    "NULL\x00inside",
    "zero\u200bwidth\u200djoiner",
)
SENTENCES = (
    "The interview went well, although they asked about distributed systems for an hour.",
    "Nadia from the platform team was friendly and spoke about the on-call rota.",
    "I said I would need four weeks' notice, and they seemed fine with it.",
    "The salary band was not mentioned; I should ask on Monday.",
    "Afterwards I walked along the river and thought about moving.",
    "My back hurt from the chair, so I will take the train next time.",
    "They use Kubernetes, Postgres 16 and a great deal of Python.",
    "The second round is a take-home task of about three hours.",
)


FRAGMENTS = ("", "?", "!", "...", "!!! ??? ---", "OK", "No.", "Thanks!", "thank you", "hmm", ":)")


def varied_texts() -> list[str]:
    """Return exactly 200 different texts that say something."""
    short = [
        f"{subject} {verb} {thing}."
        for subject in ("I", "My brother", "Our neighbour Dana")
        for verb in ("likes", "lost", "is looking for", "cannot stand")
        for thing in ("green tea", "the blue bicycle", "a flat with a balcony", "loud offices")
    ]
    questions = [
        f"{ask} {place}{end}"
        for ask in ("When did I go to", "Who lives in", "What is the weather like in")
        for place in PLACES
        for end in ("?", " last year, do you remember?")
    ]
    numbers = [
        f"{n * 37 % 101}.{n} kg on {2020 + n % 6}-{n % 12 + 1:02}-{n % 28 + 1:02}, +49 30 {n}{n}55"
        for n in range(22)
    ]
    long = [
        " ".join(SENTENCES[(start + step) % 8] for step in range(length))
        for length, starts in ((2, 8), (4, 8), (7, 4), (14, 2), (40, 1))  # the last is cut off
        for start in range(starts)
    ]
    mixed = [
        f"{left} {right}" for left in LANGUAGES[:4] for right in (*CODE[:3], *ODD[:3], *PLACES)
    ]
    return [*short, *questions, *numbers, *long, *mixed, *LANGUAGES, *CODE, *ODD]
