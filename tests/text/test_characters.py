"""How a text is written: by the scripts of its letters, and by its spaces."""

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig.text import _characters as scripts
from mtsig.text._characters import Writing, letters_of, writing_of

CHINESE = ["今天早上下了一场大雨，路上几乎没有行人。", "他把那本旧书送给了图书馆。"]


TRADITIONAL = ["這條街上的書店都關門了，只剩下一家麵館。"]


JAPANESE = ["駅前の喫茶店で友だちと待ち合わせをした。", "コーヒーを三杯も飲んでしまいました。"]


KOREAN = ["오늘 아침에는 비가 많이 내렸습니다.", "그는 낡은 책을 도서관에 주었다."]


ENGLISH = ["It rained hard this morning, and hardly anybody was out.", "He gave the old book to the library."]


THAI = ["เช้านี้ฝนตกหนักมากและแทบไม่มีใครอยู่บนถนน", "เขาให้หนังสือเล่มเก่าแก่ห้องสมุด"]


LAO = ["ເຊົ້ານີ້ຝົນຕົກໜັກຫຼາຍ"]


KHMER = ["ព្រឹកនេះមានភ្លៀងធ្លាក់ខ្លាំង"]


BURMESE = ["ဒီမနက်မိုးသည်းထန်စွာရွာသည်"]


TIBETAN = ["དེ་རིང་ཞོགས་པར་ཆར་པ་ཆེན་པོ་བབས།"]


@pytest.mark.parametrize(
    ("lines", "language", "spaced"),
    [(CHINESE, "Chinese", False), (TRADITIONAL, "Chinese", False), (JAPANESE, "Japanese", False),
     (KOREAN, "Korean", True), (THAI, "Thai", False), (LAO, "Lao", False), (KHMER, "Khmer", False),
     (BURMESE, "Burmese", False), (TIBETAN, "Tibetan", False)],
)  # fmt: skip
def test_a_script_of_its_own_tells_the_language(lines: list[str], language: str, spaced: bool) -> None:
    assert writing_of(lines) == Writing(language, spaced)


@pytest.mark.parametrize(
    "lines",
    [[], [""], [None], ["1 + 1 = 2."], ENGLISH, ["Сегодня утром шёл дождь."], ["هطل المطر هذا الصباح."],
     ["Σήμερα το πρωί έβρεξε."], ["आज सुबह बारिश हुई।"], ["The singer 王菲 sang."], [*ENGLISH * 10, *CHINESE],
     [*ENGLISH * 3, *KOREAN]],
)  # fmt: skip
def test_all_other_text_has_spaces_between_its_words(lines: list[str | None]) -> None:
    assert writing_of(lines) is None


def test_names_in_latin_letters_leave_chinese_what_it_is() -> None:
    lines = ["微软 Microsoft 和谷歌 Google 今天都发布了新的 machine translation 系统。", "我在 Paris 住过三年。"]
    assert writing_of(lines) == Writing("Chinese", False)


def test_a_quoted_kana_word_makes_no_japanese_of_chinese() -> None:
    found = writing_of([*CHINESE, "那家店叫「さくら」，在车站旁边的小巷子里，老板是一位从前的老师。"])
    assert found == Writing("Chinese", False)


def test_japanese_is_japanese_with_lines_in_chinese_characters_alone() -> None:
    assert writing_of([*JAPANESE, "東京都知事選挙"]) == Writing("Japanese", False)


@pytest.mark.parametrize(
    ("lines", "language"),
    [(["今天 早上 下 了 一 场 大雨 ， 路上 几乎 没有 行人 。"], "Chinese"),
     (["駅前 の 喫茶店 で 友だち と 待ち合わせ を し た 。"], "Japanese"),
     (["เช้า นี้ ฝน ตก หนัก มาก และ แทบ ไม่ มี ใคร อยู่ บน ถนน"], "Thai")],
)  # fmt: skip
def test_text_that_was_cut_into_words_has_spaces(lines: list[str], language: str) -> None:
    assert writing_of(lines) == Writing(language, True)


def test_letters_are_counted_without_digits_and_signs() -> None:
    assert letters_of(["abba, 12_3!", None, "é\ud800"]) == {"a": 2, "b": 2, "é": 1}


def test_examples_in_the_docs() -> None:
    assert doctest.testmod(scripts).failed == 0


@given(st.lists(st.text("ab 漢字かなกขไทย가나\n", max_size=8), max_size=10))
@settings(deadline=None, max_examples=50)
def test_a_script_is_told_from_parts_as_from_the_whole(lines: list[str]) -> None:
    whole = writing_of(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mtsig.text._characters.MOST_LINES", 1)
        assert writing_of(lines) == whole
