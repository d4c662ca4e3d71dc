"""Every detector on lines whose answer is known, in many scripts and languages."""

from time import process_time

import pytest
from kept import worded
from sampled import sampled

from mtsig import Corpus
from mtsig.segments import BUCKETS, buckets_of
from mtsig.segments._detector import LANGUAGES, language_of, named


def marked(
    bucket: str,
    first: str,
    second: str | None = None,
    references: tuple[str, ...] = (),
    source: str | None = None,
    language: str | None = None,
) -> bool:
    """Return whether a segment is in a bucket: of two outputs, or of one."""
    outputs = {"A": [first]} | ({} if second is None else {"B": [second]})
    corpus = Corpus.of(
        outputs,
        {f"ref{i}": [line] for i, line in enumerate(references)},
        sources=None if source is None else [source],
    )
    found = buckets_of(corpus, "A", None if second is None else "B", [bucket], language)
    assert found.left_out == {}
    return bool(found[bucket][0])


def alone(bucket: str, output: str, reference: str, **more: str) -> bool:
    return marked(bucket, output, references=(reference,), **more)


SAME_NUMBERS = [
    ("1,000 men", "1.000 men"),
    ("1 000 men", "1000 men"),
    ("1\u202f000", "1'000"),
    ("1,234,567.5", "1.234.567,50"),
    ("6，152，524人", "6152524人"),
    ("٣٥ رجلا", "35 رجلا"),
    ("३५", "35"),
    ("３５％", "35 %"),
    ("5 million", "5,000,000"),
    ("500万", "5,000,000"),
    ("17万5000人", "175,000人"),
    ("17 万 5000 人", "175,000人"),
    ("10多万户", "超过10万户"),
    ("二十五人", "25人"),
    ("in 7 days", "in seven days"),
    ("10 thousand", "Ten thousand"),
    ("COVID-19 patients", "corona patients"),
    ("Covid-19 patients", "corona patients"),
    ("see www.a.org/1234", "see there"),
    ("2.50 m", "2,5 m"),
    ("20 % off", "20% off"),
    ("5 percent", "5%"),
    ("1 Milliarde", "1 Mrd."),
    ("no number", "none at all"),
    ("in 2020 and 2020", "in 2020"),
]
OTHER_NUMBERS = [
    ("in 1984", "in 1985"),
    ("3 of them", "4 of them"),
    ("1,000", "10,000"),
    ("1.5 m", "15 m"),
    ("0.125", "125"),
    ("5 million", "5 billion"),
    ("200亿", "20亿"),
    ("$5", "€5"),
    ("5%", "5‰"),
    ("in 2019", "then"),
    ("٣٥", "٣٦"),
    ("mid-1990s", "the nineties"),
    ("1" * 5000, "1" * 4999 + "2"),
    ("25人", "二十六人"),
]


@pytest.mark.parametrize(("one", "other"), SAME_NUMBERS)
def test_one_number_in_two_ways_does_not_differ(one: str, other: str) -> None:
    assert not marked("number", one, other)
    assert not marked("number", other, one)
    assert not alone("number", one, other)


@pytest.mark.parametrize(("one", "other"), OTHER_NUMBERS)
def test_other_numbers_differ(one: str, other: str) -> None:
    assert marked("number", one, other)
    assert marked("number", other, one)
    assert alone("number", one, other)


def test_a_number_is_held_against_any_reference_or_the_source() -> None:
    assert not marked("number", "am 15.", references=("the 14th", "the 15th"))
    assert marked("number", "am 15.", references=("the 14th", "the 16th"))
    assert marked("number", "am 15.", source="the 16th")
    assert not marked("number", "am 15.", source="the 15th")


# Which negates, which does not and which only comes near, so that it differs from neither.
NEGATIONS = {
    "en": ("He doesn't come.", "He comes.", "He is unable to come."),
    "de": ("Er kommt nicht.", "Er kommt.", "Er bleibt ohne Hilfe."),
    "fr": ("Il n’est pas là.", "Il est là.", "Il est sans abri."),
    "es": ("Él no viene nunca.", "Él viene.", "Él viene sin abrigo."),
    "it": ("Lui non viene.", "Lui viene.", "Lui resta senza casa."),
    "pt": ("Ele não vem.", "Ele vem.", "Ele vem sem casaco."),
    "nl": ("Hij komt niet.", "Hij komt.", "Hij komt zonder jas."),
    "ru": ("Он не придёт.", "Он придёт.", "Он придёт без друга."),
    "uk": ("Він не прийде.", "Він прийде.", "Він прийде без друга."),
    "cs": ("Nepřišel včas.", "Přišel včas.", "Přišel bez kabátu."),
    "pl": ("On nie przyszedł.", "On przyszedł.", "On przyszedł bez płaszcza."),
    "sv": ("Han kommer inte.", "Han kommer.", "Han kommer utan rock."),
    "zh": ("他没来。", "他来了。", "他拒绝来。"),
    "ja": ("彼は来なかった。", "彼は来た。", "彼は来るのを拒んだ。"),
}
AFFIRMED = {
    "en": ("Not only he came, but all.", "He and all others came."),
    "de": ("Nicht nur er kam.", "Er kam auch."),
    "fr": ("Non seulement lui, mais tous.", "Lui et tous les autres."),
    "es": ("No solo él vino, sino todos.", "Él vino con todos."),
    "ru": ("Не только он пришёл.", "Он тоже пришёл."),
    "cs": ("Nejlepší nebo největší.", "Dobrý a velký."),
    "zh": ("他不仅来了，是不是？", "他也来了。"),
    "ja": ("彼は行かなければなりません。", "彼は行く必要がある。"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_negation_differs_from_none_but_not_from_what_comes_near(language: str) -> None:
    negated, affirmed, near = NEGATIONS[language]
    assert marked("negation", negated, affirmed, language=language)
    assert marked("negation", affirmed, negated, language=language)
    assert not marked("negation", negated, near, language=language)
    assert not marked("negation", near, affirmed, language=language)
    assert alone("negation", affirmed, negated, language=language)


@pytest.mark.parametrize("language", AFFIRMED)
def test_phrases_that_hold_a_negation_and_negate_nothing_do_not_count(language: str) -> None:
    assert not marked("negation", *AFFIRMED[language], language=language)


def test_czech_words_that_begin_like_a_negation_negate_where_they_are_verbs() -> None:
    for verb in ("Nejsou tu.", "Nechce jít.", "Nestačí to.", "Nedodávají se."):
        assert marked("negation", verb, "Jsou tu.", language="cs"), verb


def test_a_language_without_a_list_is_left_out_and_named() -> None:
    greek = ["Η γάτα κάθεται στο χαλί και κοιτάζει."] * 3
    found = buckets_of(Corpus.of({"A": greek, "B": greek}), "A", "B")
    assert "negation" not in found
    worded(found.left_out["negation"])
    thai = ["แมวนั่งอยู่บนพรม"] * 3
    assert "(Thai)" in buckets_of(Corpus.of({"A": thai, "B": thai}), "A", "B").left_out["negation"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("He said that the house is by the sea and it was for them.", "en"),
        ("La casa está en el pueblo y los niños son de la ciudad.", "es"),
        ("A casa está na cidade e os meninos não são do campo.", "pt"),
        ("Дом был на берегу, и они не знали, что это за люди.", "ru"),
        ("Це було так, що він і його брат не прийшли до нас.", "uk"),
        ("Dům je v lese a se psem, který byl u řeky, ale také při cestě.", "cs"),
        ("Kuća je na obali i oni su bili kao što se to kaže, ali nije bio.", None),
        ("猫がいるので静かにしてください。", "ja"),
        ("那只猫坐在地毯上。", "zh"),
        ("", None),
    ],
)
def test_a_language_is_known_by_its_frequent_words_or_its_script(text: str, code: str | None) -> None:
    assert language_of([text]).code == code


def test_a_language_may_be_named() -> None:
    assert (named("de-AT").code, named("zh_CN").code, named("fi").code) == ("de", "zh", None)


def test_untranslated_is_what_the_reference_does_not_keep() -> None:
    source, reference = "El puente de hierro abre hoy", "The iron bridge opens today"
    assert marked("untranslated", source, reference, (reference,), source)
    assert marked("untranslated", "The puente de hierro abre today", reference, (reference,), source)
    assert not marked("untranslated", reference, "An iron bridge is open", (reference,), source)
    names = "Ana María Ortuño, Luis Gómez"
    assert not marked("untranslated", names, names, (names,), names)
    assert marked(
        "untranslated", "我们明天去北京看朋友", "We see friends", ("We visit friends",), "我们明天去北京看朋友"
    )
    assert marked("untranslated", source, source=source)
    assert not marked("untranslated", reference, source=source)


def test_length_counts_letters_and_weighs_characters_without_spaces() -> None:
    long = "a sentence of some length that goes on for quite a while"
    assert marked("length", long, "a sentence")
    assert marked("length", long, long, ("a sentence",))
    assert not marked("length", long, long, ("a sentence", long))
    assert not marked("length", "Yes, of course.", "Yes.")
    assert marked("length", "他昨天在车站等了一个小时都没有等到", "他等了")
    assert not marked("length", long, long.replace(" ", "      "))
    assert marked("length", "", long)


def test_repetition_is_a_loop_that_source_and_references_have_not() -> None:
    loop = "the cat sat on the mat " * 5
    assert marked("repetition", loop, "the cat sat")
    assert not marked("repetition", loop, "the cat sat", (loop,))
    assert not marked("repetition", loop, "the cat sat", source=loop)
    assert marked("repetition", "no no no no no no no")
    assert marked("repetition", "ha" + "hahaha" * 8)
    assert marked("repetition", "他很好他很好他很好他很好他很好他很好他很好他很好他很好")
    assert not marked("repetition", "one, two … and so on ..............................")
    assert not marked("repetition", "--------------------------------------------------")
    assert not marked("repetition", "the cat sat on the mat, and the cat sat on the rug")


def test_entities_are_kept_or_lost() -> None:
    source, reference = "Hablé con Ortuño de COVID-19 en Radio Sol.", "I spoke to Ortuño of COVID-19 on Radio Sol."
    assert not marked("entity", reference, reference.replace("spoke", "talked"), (reference,), source)
    assert marked("entity", reference, reference.replace("Ortuño", "Otuno"), (reference,), source)
    assert marked("entity", reference, reference.replace("COVID-19", "the virus"), (reference,), source)
    assert not marked("entity", reference, reference.replace("COVID-19", "Covid-19"), (reference,), source)
    assert alone("entity", "I spoke to him of COVID-19 on Radio Sol.", reference, source=source)
    assert not alone("entity", reference.replace("spoke", "talked"), reference, source=source)
    assert marked("entity", "在IBM工作", "在公司工作", source="He works at IBM")
    assert not marked("entity", "在IBM工作", "在ＩＢＭ上班", source="He works at IBM")


def test_a_code_whose_number_goes_on_is_another_code() -> None:
    for code, longer in (("A4", "A44"), ("COVID-19", "COVID-190"), ("S-400", "S4000")):
        reference = f"It is {code} here."
        assert marked("entity", reference, f"It is {longer} here.", (reference,), f"Es ist {code}.")
        assert not marked("entity", reference, f"{longer} or {code} 5, and {code}er.", (reference,), f"Es ist {code}.")
    assert not marked("entity", "A new S-400 5 km off", "A new S 400 5 km off", ("S-400",), "S-400")


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("Go to https://a.org/x?y=1.", "Go to https://a.org/x?y=2.", True),
        ("Go to https://a.org/x.", "Visit https://a.org/x", False),
        ("Write to a.b@c.org!", "Write to a.b@d.org!", True),
        ("见https://a.org/x。", "请看https://a.org/x", False),
        ("Go to www.a.org and www.a.org", "Go to www.a.org", True),
    ],
)
def test_addresses_are_exact(one: str, other: str, differ: bool) -> None:
    assert marked("entity", one, other, ("Something else",)) is differ


@pytest.mark.parametrize(
    ("one", "other", "same_words"),
    [
        ("The cat sat.", "the cat sat", True),
        ("“It’s so”, he said", '"It\'s so," he said.', True),
        ("价格：10元。", "价格:10元.", True),
        ("ＡＢＣ", "abc", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("שלום\u200f עולם", "שלום, עולם", True),
        ("The cat sat", "The cat sits", False),
        ("1.5 m", "15 m", False),
        ("-5 degrees", "5 degrees", False),
        ("5%", "5", False),
        ("same", "same", False),
        ("...", "!", True),
    ],
)
def test_surface_is_casing_punctuation_and_spaces(one: str, other: str, same_words: bool) -> None:
    assert marked("surface", one, other) is same_words
    assert alone("surface", one, other) is same_words


def test_identical_is_character_by_character() -> None:
    assert marked("identical", "a b", "a b")
    assert not marked("identical", "a b", "a  b")
    assert marked("identical", "a", references=("b", "a"))


HOSTILE = [
    "",
    " ",
    "\u200f\u202e",
    "\ud800",
    "e\u0301" * 50,
    "😀" * 100,
    "<script>alert(1)</script>",
    "\t\x00\x85",
    "𠀀" * 30,
]


@pytest.mark.parametrize("name", BUCKETS)
def test_no_detector_trips_over_any_text(name: str) -> None:
    first, second = HOSTILE, HOSTILE[::-1]
    corpus = Corpus.of({"A": first, "B": second}, {"r": first[1:] + first[:1]}, sources=second)
    for pair in (("A", "B"), ("A", None), ("B", "A")):
        found = buckets_of(corpus, *pair, names=[name], language="en")
        assert found[name].shape == (len(HOSTILE),)
        assert found[name].dtype == bool


LONG = 100_000


@pytest.mark.slow
@sampled("piece", ["a", "1,", "a@", "http://", "no ", "十万", "A-1 "], most=3)
def test_a_line_of_many_pages_takes_no_time_that_grows_with_its_square(piece: str) -> None:
    lines = [(piece * (LONG // len(piece)))[:LONG]]
    corpus = Corpus.of({"A": lines, "B": [lines[0] + "x"]}, {"r": [lines[0] + "y"]}, sources=[lines[0] + "z"])
    start = process_time()
    buckets_of(corpus, "A", "B", language="en")
    assert process_time() - start < 10
