"""Languages: the words by which a text's language is known, and those that negate in it; lists made for this program.

In a list a word such as `kein*` stands for all words that begin so, and what stands between slashes is a pattern.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from mtsig.text import writing_of

MOST_LINES = 500
"""Lines by which a language is known."""

LEAST_SHARE = 0.1
"""Of the words of a text, so many at least are frequent words of its language …"""

LEAD = 1.3
"""… and so many times as many as of any other language."""

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


_MOST_PIECES = 500_000
"""Pieces of text between spaces of which a language remembers what they say."""

Kind = Literal["plain", "near", ""]
"""A negation, a word that may stand for one, or neither."""


@dataclass(frozen=True)
class Language:
    """A language with its negations.

    frequent: words that are frequent in it and rare in most others; none where the script tells. negations: what
    negates. near: what may say the same without. aside: phrases in which a negation negates nothing (not only), taken
    out first. spaced: whether words have spaces between them; else all lists are sought as they stand.
    """

    code: str
    name: str
    frequent: str
    negations: str
    near: str
    aside: str
    spaced: bool = True

    @cached_property
    def words(self) -> frozenset[str]:
        """The frequent words."""
        return frozenset(self.frequent.split())

    @cached_property
    def negation(self) -> "_WordList":
        """What negates."""
        return _WordList(self.negations.split(), self.spaced)

    @cached_property
    def close(self) -> "_WordList":
        """What may stand for a negation."""
        return _WordList(self.near.split(), self.spaced)

    @cached_property
    def phrases(self) -> "_WordList":
        """The phrases that are taken out."""
        return _WordList([phrase.strip() for phrase in self.aside.split(";")], self.spaced)

    def kind(self, word: str) -> Kind:
        """Return what a word in lower case says by itself."""
        if self.phrases.is_word(word):
            return ""
        return "plain" if self.negation.within(word) else "near" if self.close.within(word) else ""

    def negates(self, piece: str) -> bool:
        """Return whether one of the words between two spaces negates by itself."""
        text = piece.lower()
        words = (text,) if text.isalpha() else WORD.findall(text)
        return any(self.negation.within(word) and not self.phrases.is_word(word) for word in words)

    def kinds(self, text: str) -> set[Kind]:
        """Return what the words of a text in lower case say, or its characters, where words have no spaces."""
        if self.spaced:
            # No word reaches over a space: what stands between two is looked into once.
            return set().union(*(self._kinds_within(piece) for piece in set(text.split()) - self._silent))
        lists: dict[Kind, _WordList] = {"plain": self.negation, "near": self.close}
        return {kind for kind, listed in lists.items() if listed.pattern.search(text)}

    def _kinds_within(self, piece: str) -> set[Kind]:
        known = self._telling.get(piece)
        if known is None:
            known = {kind for word in WORD.findall(piece) if (kind := self.kind(word))}
            if len(self._silent) + len(self._telling) >= _MOST_PIECES:
                self._silent.clear()
                self._telling.clear()
            if known:
                self._telling[piece] = known
            else:
                self._silent.add(piece)
        return known

    @cached_property
    def _silent(self) -> set[str]:
        """Pieces that said nothing; most do, and are taken out of a text at once."""
        return set()

    @cached_property
    def _telling(self) -> dict[str, set[Kind]]:
        """What the other pieces said."""
        return {}


class _WordList:
    """Words, beginnings and patterns, as `Language` lists them; sought in a text, or, sooner, in a single word."""

    def __init__(self, listed: list[str], spaced: bool) -> None:
        # Of two that begin alike the longer one is tried first.
        in_order = sorted(listed, key=len, reverse=True)
        patterns = [entry[1:-1] for entry in in_order if entry.startswith("/")]
        words = [entry for entry in in_order if not entry.startswith("/")]
        self._words = frozenset(words)
        self._beginnings = tuple(word[:-1] for word in words if word.endswith("*"))
        self._patterns = re.compile("|".join(patterns)) if patterns else None
        if spaced:
            # Said once for all words: most places in a text are within one.
            words = [rf"(?<!\w)(?:{'|'.join(map(_pattern, words))})"] if words else []
        else:
            words = list(map(re.escape, words))
        self.pattern = re.compile("|".join([*patterns, *words]))

    def within(self, word: str) -> bool:
        """Return whether a word of WORD has one of the list in it: behind an apostrophe a new one begins."""
        if not word.isalpha():
            return self.pattern.search(word) is not None
        return self._is_listed(word) or (self._patterns is not None and self._patterns.search(word) is not None)

    def is_word(self, word: str) -> bool:
        """Return whether a word of WORD is one of the list."""
        if not word.isalpha():
            return self.pattern.fullmatch(word) is not None
        return self._is_listed(word) or (self._patterns is not None and self._patterns.fullmatch(word) is not None)

    def _is_listed(self, word: str) -> bool:
        return word in self._words or word.startswith(self._beginnings)


def _pattern(word: str) -> str:
    """Return what finds a listed word, or what begins like it, where a word begins."""
    end = "" if word.endswith("'") else r"\w*" if word.endswith("*") else r"(?!\w)"
    return re.escape(word.rstrip("*")).replace("'", "['’]") + end


LANGUAGES: dict[str, Language] = {
    language.code: language
    for language in (
        Language(
            "en", "English",
            "the of and to is was that for it with his are this which by from were but they have had you at he as on",
            "not no never none nobody nothing nowhere neither nor cannot cant dont /n['’]t(?!\\w)/ no-one",
            "without unable impossible fail* lack* hardly barely scarcely rarely seldom refus* deny denie* prevent* "
            "unlike* unless absen* inability incapable insufficient unknown unclear unnecessar* non non-* missing "
            "disagree* dislik* disappear* disallow* "
            "wrong /(?<!\\w)un(?!it|iq|iv|if|io|de|til|cle)\\w{3,}/ invalid incorrect inaccurate unavailable "
            "illegal neglect* exclud* nope avoid* stopped instead",
            "not only; not just; not merely; no longer than; no less than; no fewer than; no doubt; no wonder; "
            "no matter; whether or not; not least; why not; /(?:is|are|do|does|did|was|were|wo|ca)n['’]t "
            "(?:it|you|he|"
            "she|they|we|i)\\s?\\?/; /(?<!\\w)no\\.? ?\\d/",
        ),
        Language(
            "de", "German",
            "der die und das ist nicht den dem ein eine mit sich auf für von im zu auch wird als sie werden bei oder",
            "nicht nie niemals kein* nichts niemand* nirgend* weder",
            "ohne kaum unmöglich* unfähig* unklar* unbekannt* ungewöhnlich* unwahrscheinlich* unzureichend* fehl* "
            "mangel* selten nein verhinder* vermeid* verweiger* ablehn* lehn* statt anstatt außer verpass* verbiet* "
            "verbot* vermiss* andernfalls sonst versäum* abge* verzicht* aufhör* aufgehört* "
            "unwesentlich* unnötig* untersag* scheiter* /\\w{3}los(?:e[rnms]?)?(?!\\w)/ "
            "nicht*",
            "nicht nur; nicht zuletzt; nicht bloß; nicht allein; ob oder nicht; nichts als; nicht wahr",
        ),
        Language(
            "fr", "French",
            "le les des est une du dans qui pour pas sur au avec sont ce il ne par cette ont plus nous vous aux et",
            "ne n' pas jamais aucun aucune rien ni nul nulle non guère",
            "sans impossible incapable* manqu* échou* évit* refus* empêch* rarement absen* faute inconnu* "
            "insuffisan*",
            "non seulement; pas seulement; n'est-ce pas; non plus; pas mal de",
        ),
        Language(
            "es", "Spanish",
            "el los las del que en por con una para es se lo como más su al este esta está y son fue",
            "no nunca jamás nada nadie ningún ninguno ninguna ningunos ningunas ni tampoco",
            "sin imposible* apenas falta* incapa* evit* neg* rara* desconocid* insuficiente* sino excepto carec*",
            "no obstante; no sólo; no solo; no solamente; nada más; /(?<!\\w)no\\.? ?\\d/",
        ),
        Language(
            "it", "Italian",
            "il di che è la per con una sono non del della dei delle gli nel nella anche alla questo questa e si da",
            "non mai nessun nessuno nessuna nulla niente né nemmeno neanche neppure no",
            "senza impossibil* manca* appena evit* rifiut* incapac* sconosciut* insufficient*",
            "non solo; non soltanto; non appena; se non altro",
        ),
        Language(
            "pt", "Portuguese",
            "o os que não uma para com do da em no na dos das é se por mais como foi são ao pelo pela e",
            "não nunca jamais nada ninguém nenhum nenhuma nem tampouco",
            "sem impossíve* falt* apenas evit* senão incapa* recus* desconhecid* insuficiente* neg*",
            "não só; não somente; não apenas; não obstante; nada mais",
        ),
        Language(
            "nl", "Dutch",
            "de het een van en is dat niet op te zijn voor met die aan ook er maar naar deze wordt worden",
            "niet nooit geen niets niemand nergens noch nimmer",
            "zonder onmogelijk* nauwelijks amper ontbre* mislu* weiger* vermijd* nee zelden gebrek behalve onbekend*",
            "niet alleen; niet in de laatste plaats",
        ),
        Language(
            "ru", "Russian",
            "и в не на что с это как по его из к но он для от за а о у же был было они мы",
            "не ни нет нету никогда никто никого никому никем ничего ничто ничему ничем никак никакой никакая "
            "никакие "
            "никаких никакого никакой никаким нигде нельзя никуда ничуть",
            "без не* едва вряд избе* отказ* лиш* отсутств* запре* перестал* отриц* предотвра* бес*",
            "не только; тем не менее; не менее; не более; не раз; чуть не; не могли бы; не мог бы; не могла бы; не "
            "так ли; как ни; ни с того; несколько; некотор*; "
            "недел*; немец*; недавн*; немедлен*; непосредствен*; независимо; необходим*; нередко; нефт*; нею; ней; "
            "нее",
        ),
        Language(
            "uk", "Ukrainian",
            "і в не на що з це як та у й його до за але він для від про бути є також було ми які",
            "не ні немає нема ніколи ніхто нікого нікому ніщо нічого ніяк ніякий ніде неможна ані жоден жодна жодне "
            "жодного жодної жодних жодному",
            "без не* навряд ледь уник* відмов* позбав* відсутн* заборон* перестал* запобі*",
            "не тільки; не лише; тим не менш; не менше; не більше; не раз; не могли б; не міг би; не могла б; чи "
            "не так; нею; неї; неділ*; нещодавн*; негайн*; "
            "необхідн*; незалежн*; нейтр*; нерв*",
        ),
        Language(
            "cs", "Czech",
            "a se na že je v s to do o z i k ale jako pro které který která jsou byl bylo od při také podle však",
            "ne není nejsou nejsem nejsme nejste nemá nemaj* nemám* nemáš nemáte nemůž* nechc* neví* nevěd* nesmí "
            "nesmějí nesměl* "
            "nelze "
            "nejde nikdy nikdo nikoho nikomu nic ničeho nikde žádn* ani nikoli nikoliv neexist* nebud* netř* "
            "nepotřeb* "
            "/(?<!\\w)ne(?!j)\\w{2,}(?:l|la|lo|li|ly|uje|ují|ejí|ají|eme|áme|íme|ete|áte|íte|[^n\\W]í)(?!\\w)/",
            "bez ne* sotva stěží chyb* odmít* selh* zabrán* zabraň* vyhn* kromě zřídka přesta*",
            "/(?<!\\w)nej(?!sou|sem|sme|ste|de|du|ed)\\w*/; nebo; než; nebe; neděl*; nemoc*; nesmysl*; nesmír*; "
            "nepřátel*; nepřítel*; nezletil*; nech; nechat; "
            "nechal*; nechá*; nechte; neboť; "
            "nedávn*; nedaleko; neustál*; "
            "nezávis*; německ*; new; net; neutr*; nehod; nehoda; nehody; nehodu; nehodě; nebezpeč*; neboli; network",
        ),
        Language(
            "pl", "Polish",
            "w i się na z do to że nie jest o jak po ale od są dla przez który która które był było oraz także",
            "nie nigdy nikt nikogo nikomu nic niczego żaden żadna żadne żadnych żadnego żadnej ani nigdzie",
            "bez nie* ledwo brak* odmów* odmaw* unik* oprócz rzadko zabrak* zapob* przestał*",
            "nie tylko; nie mniej; nie więcej niż; nie licząc; niektór*; niemiec*; niedziel*; niedawn*; niego; niej; "
            "niezależn*; niezbędn*",
        ),
        Language(
            "sv", "Swedish",
            "och att det i en på är som för av med den till inte har de ett om var jag från vid kan",
            "inte aldrig ingen inget inga ingenting ingenstans varken ej icke",
            "utan knappt sällan sakna* brist* vägra* undvik* omöjlig* nej okänd* oförmög*",
            "inte bara; inte minst; inte enbart",
        ),
        Language(
            "zh", "Chinese", "",
            "不 没 沒 未 无 無 毫无 并非 绝非",
            "难以 難以 拒绝 拒絕 否认 否認 避免 防止 缺乏 缺少 失去 停止 禁止 勉强 很少 罕见 别 非 免得 失败 仅 "
            "直到 零 停 毋 "
            "以外 之外",
            "/(?P<asked>.)不(?P=asked)/; 必不可少; 少不了; 不停; 有没有; 不小心; 不得已; 了不起; 不好意思; 对不起; "
            "不同; 不断; "
            "不斷; 不过; 不過; 不少; 不错; 不錯; 差不多; 不久; 不仅; 不僅; 不但; 不只; 不止; 不光; 不单; "
            "不管; 不论; 不論; 不得不; 不如; 不幸; 不良; 不料; 不由; 不禁; 不惜; 不愧; 不时; 不時; 不已; 不妨; 不满; "
            "不滿; 不安; 不利; 不便; 不动产; 不動產; 不锈钢; 不一; 不等; 不可思议; 不可避免; 不可或缺; 无论; 無論; "
            "无线; "
            "無線; 无人机; 無人機; 无数; 無數; 无疑; 無疑; 无限; 無限; 无非; 无缝; 无辜; 无私; 无家可归; 未来; 未來; "
            "未婚; 未知; 未成年; 未免; 没收; 淹没; 沉没; 出没; 埋没; 没落; 迫不及待; 不远; 不遠; 不顾; 不屈; "
            "不朽; "
            "不足; 不平; 不当; 不适; 不佳; 不凡; 不俗; 不懈; 不甘; 不忍; 不住",
            spaced=False,
        ),
        Language(
            "ja", "Japanese", "",
            "ない なく なかっ ません なけれ ずに せず できず らず えず れず わず ざる 無い",
            "不 無 非 未 困難 かかわら 禁 拒 避け 欠 否 防 止め 失 難 しか 予期せ",
            "申し訳ありません; 申し訳ございません; 申し訳ない; お忘れなく; なければならない; なくてはならない; "
            "なければいけない; ないといけない; なければなりません; なくてはなりません; "
            "しかありません; 間違いありません; 少ない; 少なく; 少なかっ; 危ない; もったいない; しかない; "
            "かもしれない; かもしれません; なければなら; "
            "なくてはなら; なければいけ; ないといけ; だけでなく; だけではなく; だけでは無く; のみならず; "
            "ざるを得ない; "
            "ざるを得ず; に違いない; 間違いなく; 間違いない; すみません; まもなく; 間もなく; 必ず; かならず; わずか; "
            "とりあえず; にもかかわらず; 関わらず; 問わず; 相変わらず; のではないか; ではないでしょうか; じゃないか; "
            "ませんか; 幼い; いけない; いけません; なくなっ; なくなり; なくなる; 亡くな; 思わず; 少なから",
            spaced=False,
        ),
    )
}  # fmt: skip
"""The languages whose negations are known, by code."""

_OTHERS = {
    "Croatian, Serbian or Bosnian": "i je u na se da su za od što kao koji koja koje bi ali nije biti iz te ili bio",
    "Slovenian": "in je v na se da so za ki bi pa tudi kot z ni ali po lahko še pri ob bila",
    "Slovak": "a sa na že je v aby to do o z ale ako pre ktoré ktorý ktorá sú bol bolo od pri tiež podľa však",
    "Danish or Norwegian": "og at det i en på er som for af av med den til ikke har de et om var jeg fra ved kan",
    "Bulgarian or Macedonian": "и в на не се да за от е са че като по това който която беше до със ќе во го",
    "Romanian": "și în de la a cu pe care nu o un este din pentru că au sunt mai al fi sau",
    "Catalan": "el els les i de que amb per una és no del dels va als més aquest aquesta són al ha",
    "Hungarian": "a az és hogy nem egy is meg ez volt de csak már mint el ki vagy még ha",
    "Finnish": "ja on ei se että oli hän joka mutta ovat kun myös tai sen ole kuin niin mukaan",
    "Turkish": "ve bir bu için ile da de olarak daha çok gibi olan ne en kadar değil ama sonra",
    "Indonesian or Malay": "yang dan di dengan untuk ini dari dalam tidak itu pada akan adalah ke oleh juga",
    "Vietnamese": "và của là có trong được không cho các một với những người này đã để",
    "Estonian": "ja on ei et see oli ta mis aga kui ka või oma selle ning pole",
    "Lithuanian": "ir kad į yra iš su tai kaip bet buvo jis dėl po ne",
    "Latvian": "un ir ar no par kas uz ka bet to arī pie tika viņš",
    "Belarusian": "і ў не на што з гэта як па яго да але ён для ад пра быць ёсць таксама было",
}
"""Languages that are known so that they are not taken for another one."""


@dataclass(frozen=True)
class Found:
    """The language of a text: its code in LANGUAGES, or None, and its name."""

    code: str | None
    name: str


def language_of(lines: Iterable[str | None]) -> Found:
    """Return the language of a text: by its script, else by its most frequent words.

    >>> language_of(["Das ist der Weg, den die Leute nicht mit dem Auto fahren."]).name
    'German'
    """
    chosen = [line[:2000] for line in lines if line][:MOST_LINES]
    writing = writing_of(chosen)
    if writing is not None:
        return Found({"Chinese": "zh", "Japanese": "ja"}.get(writing.language), writing.language)
    counts = Counter(word for line in chosen for word in WORD.findall(line.lower()))
    known = {code: language.words for code, language in LANGUAGES.items() if language.words}
    known |= {name: frozenset(words.split()) for name, words in _OTHERS.items()}
    shares = {key: sum(counts[word] for word in words) / max(1, counts.total()) for key, words in known.items()}
    best, second = sorted(shares, key=lambda key: -shares[key])[:2]
    if shares[best] < LEAST_SHARE or shares[best] < LEAD * shares[second]:
        return Found(None, "it was not recognised")
    return Found(best, LANGUAGES[best].name) if best in LANGUAGES else Found(None, best)


def named(code: str) -> Found:
    """Return the language that a code such as "de", "de-AT" or "zh_CN" names."""
    short = code.replace("_", "-").split("-")[0].lower()
    return Found(short, LANGUAGES[short].name) if short in LANGUAGES else Found(None, code)
