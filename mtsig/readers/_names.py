"""Names: what a file or column is called goes in, the role that the name suggests comes out."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import PurePosixPath
from typing import Literal, get_args

from mtsig._limits import normalized
from mtsig._memory import remembered

Role = Literal[
    "system", "reference", "source", "documents", "domains", "original languages", "parses", "ratings", "ignored"
]
ROLES: tuple[Role, ...] = get_args(Role)


def as_text(name: str) -> str:
    r"""Return a name that can be written as UTF-8: bytes of a file's name that are no text are written out as \xe8."""
    try:
        content = name.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:  # half a character, as JSON can hold it
        content = name.encode("utf-8", errors="backslashreplace")
    return content.decode("utf-8", errors="backslashreplace")


OTHER_FORMATS = {
    ".srt": "subtitles (SubRip)", ".vtt": "subtitles (WebVTT)",
    **dict.fromkeys((".sub", ".ass", ".ssa", ".sbv", ".lrc", ".ttml", ".dfxp", ".smi", ".stl"), "subtitles"),
    ".rtf": "rich text", ".doc": "a Word document", ".docx": "a Word document", ".odt": "an OpenDocument text",
    ".html": "a web page", ".htm": "a web page", ".xhtml": "a web page", ".epub": "a book", ".tex": "LaTeX",
    ".pptx": "slides", ".rst": "marked-up text", ".tbx": "a list of terms",
    **dict.fromkeys((".resx", ".strings", ".properties", ".arb"), "a program's texts with their keys"),
    **dict.fromkeys((".txml", ".ttx"), "a translators' file of an old program"),
}  # fmt: skip
"""Suffixes of files that hold text, and no segment on each line."""

REFUSED = {
    ".xls": "an old Excel workbook: save it as .xlsx",
    ".ods": "an OpenDocument sheet: save it as .xlsx or .csv",
    ".tar": "a tar archive: unpack it and give the folder",
    ".tgz": "a tar archive: unpack it and give the folder",
    ".pdf": "a PDF: save its text as .txt with one segment per line",
    ".md": "Markdown: save its table as .tsv or .csv, or its lines as .txt",
    **dict.fromkeys((".yaml", ".yml"), "YAML: save it as JSON"),
    **{
        suffix: f"{what}: save its text as .txt with one segment per line, or export XLIFF, TMX or PO"
        for suffix, what in OTHER_FORMATS.items()
    },
}
"""What is said of a file that no reader takes, by its suffix, in whatever way it is given."""

NOT_LINES = {
    ".md", ".json", ".jsonl", ".py", ".sh", ".xml", ".sgm", ".sgml", ".html", ".yaml", ".yml", ".toml", ".gz", ".zip",
    ".tar", ".tgz", ".pdf", ".png", ".jpg", ".svg", ".xlsx", ".xls", ".log", ".score", ".conllu", ".conll",
    ".ods", ".parquet", ".eval", ".xlf", ".xliff", ".sdlxliff", ".mxliff", ".mqxliff", ".tmx", ".po", ".pot",
    ".bib", ".pgf", *OTHER_FORMATS,
}  # fmt: skip
"""Suffixes of files that are no line files."""

TABLE_SUFFIXES = frozenset({".tsv", ".csv"})

_ABOUT_THE_DATA = re.compile(r"(readme|licen[cs]es?|changelog|copying|notices?|makefile)(?![a-z])", re.IGNORECASE)

_OF_PROGRAMS = re.compile(r"\.(?!.+\.sw[a-p]$).*|thumbs\.db|desktop\.ini", re.IGNORECASE)
"""Hidden files, and what systems leave in folders."""

_COPY = re.compile(
    r"~\$.+|#.+#|.+(?:~|\.(?:bak|bkp|bck|backup|orig|old|save?|te?mp|sw[a-p]|rej|part|partial|crdownload|download"
    r"|dpkg-\w+|rpm(?:new|save|orig)|prev|lock))"
    r"|(?:copy of|kopie von|copie de|copia de) .+"
    r"|.+?(?: (?:- )?\(?(?:\S+ )?(?:copy|kopie|copie|copia)\)?(?: ?\(?\d+\)?)?|[._ -](?:back-?up|bak)\d*"
    r"|\.sync-conflict-[\w-]+)"
    r"(?:\.\w+)?",
    re.IGNORECASE,
)
"""Back-up copies, what editors keep beside a file that is open, and downloads that did not end."""

_OLDER = re.compile(r"(.+?)(?: ?\(\d+\)|[ ._-](?:old|orig|prev|previous)|\.txt[._-].+)", re.IGNORECASE)
"""Names of older copies, or of systems, beside a text of the first group's name."""

_REF_INSIDE = re.compile(r"\.ref[a-z0-9]?(\.|$)")
"""A piece of a name between dots: ted.ref.detok, newstest.refA."""

_SRC_INSIDE = re.compile(r"\.(?:src|source)(\.|$)")

_TOLD_APART = r"(?:[A-Z]{1,3}|[a-z]{1,2}|(?i:text|human|gold|post))?\d*(?![^\W_])"
"""What may stand right behind the word: refA, refPE, refen; Reformer and SourceAware are systems."""

_REFERENCE = re.compile(rf"(?i:references?|refs?){_TOLD_APART}")
_SOURCE = re.compile(rf"(?i:sources?|src){_TOLD_APART}")

_USUAL = re.compile(
    r"(?:[\s._()\[\]{}:/|-]+|[A-Z](?:[A-Z]{0,2}|[a-z]{3})(?![^\W_])|[a-z]{1,3}(?![^\W_])|v?\d+(?![^\W_])|[^\W_]*(?i:text|line|sentence|segment|"
    r"translat|human|gold|post|edit|raw|norm|orig|test|dev|set|tok|clean|lang|file|data|newstest)[^\W_]*)*"
)
"""What usually stands behind the word in names of references and sources: ref_en, ref-2, source.norm.v1."""

FOLDERS: dict[str, Role] = {
    "systems": "system",
    "systems-jsonl": "system",
    "system-outputs": "system",
    "refs": "reference",
    "references": "reference",
    "sources": "source",
    "parses": "parses",
    "ratings": "ratings",
    "human": "ratings",
    "annotations": "ratings",
    "metrics": "ratings",
}
"""Folders whose name says what the files in them are."""

# What columns are called, in texts and ratings alike, as `plain_name` writes it. Words that mean one thing among texts
# and another among ratings stand apart, with the reason.

SEGMENTS = {
    "segment", "seg", "line", "global_seg_id", "segment_number", "line_number",
    *map("".join, product(("seg", "segment", "line", "sent", "sentence"), ("", "_"), ("id", "no", "nr", "idx"))),
}  # fmt: skip
"""Columns that number the segments of a test set."""

SENTENCE = "sentence"
"""Among ratings the number of a segment; in a table of texts as likely the text itself."""

IN_DOCUMENT = {"seg_in_doc", "segment_in_doc", "segment_in_document", "par", "par_id", "paragraph", "paragraph_id"}
"""Columns that number the segments of a document."""

COUNTERS = SEGMENTS | IN_DOCUMENT | {
    "", "id", "index", "idx", "sid", "item", "i", "#", "key", "row", "unnamed:_0",
    *map("_".join, product(("item", "custom", "row", "example", "sample", "utt", "utterance", "question", "unit"),
                           ("id", "no", "nr", "idx", "index"))),
}  # fmt: skip
"""Columns of texts that number segments; in a table of ratings the last ones may well number the rows."""

DOCUMENTS = {"doc", "docid", "doc_id", "document", "document_id"}
DOCUMENT_FILES = {"documents", "docids", "doc_ids", "docid", "doc_id", "document_ids", "document_id", "documentids"}
"""Names of files that hold the document of each line."""

_MAYBE_DOCUMENT_FILES = {"docs", "doc", "document"}
"""Names of files that may as well hold texts: their lines say which."""

DOMAINS = {"domain", "domains", "genre"}
ORIGINAL_LANGUAGES = {"origlang", "orig_lang", "original_language"}
SOURCES = {"src", "source", "user_input", "src_text", "source_text", "source_segment", "input", "input_text",
           "original", "original_text"}  # fmt: skip

MODELS = {"model", "model_name", "model_id", "engine", "mt_engine", "provider", "team", "submission", "translator"}
"""Name the system of a row, or hold the texts of a system called so, or say of all rows by what they were made."""

SYSTEMS = {"system", "sys", "system_id", "sysid", "sys_id", "system_name", "mt_system", *MODELS}
"""Columns that name the system of a row."""

RATERS = {"judge", "judge_id", "rater", "rater_id", "annotator", "annotator_id", "assessor", "evaluator"}
"""Columns that name who rated."""

ANSWERING, ASKING = {"assistant", "gpt", "model", "bot", "chatgpt", "ai", "chatbot"}, {"user", "human", "prompter"}
SETTING = {"system", "developer", "tool", "function"}
SPEAKING = ANSWERING | ASKING | SETTING
"""Who says a message to or from a language model."""

OUTPUTS = {"hyp", "hypothesis", "mt", "translation", "translation_text", "output", "tgt_text", "system_output",
           "hypothesis_segment",
           *map("".join, product(("pred", "predicted", "output", "mt", "hyp", "hypothesis", "translated"), ("_text",))),
           "machine_translation"}  # fmt: skip
"""Columns that hold the outputs of one system, or of the one named in a column of SYSTEMS."""

MAYBE_OUTPUTS = {"prediction", "predict", "candidate", "generated", "generation", "response", "answer", "completion",
                 "text", "mt_output", "model_output", "actual_output"}  # fmt: skip
"""Columns that hold outputs where another names their systems, and none is called as above: or scores, remarks."""

ANNOTATIONS = {"rater", "category", "severity"}
"""Fields of error annotations, which name the same output once an error."""

METRICS = {"metric", "metrics", "metric_name", "scorer", "criterion", "dimension", "aspect"}
"""Columns that name what the one score of a row is of."""

LANGUAGE_PAIRS = {"lp", "langs", "lang_pair", "langpair", "language_pair"}
PAIR = "pair"
"""Among texts and scores of whole systems a pair of languages; among ratings as likely one of systems."""

_REMARKS = {
    "gloss", "glosse", "comment", "note", "remark", "explanation", "transliteration", "translit", "romanization",
    "romanisation", "justification", "annotation", "kommentar", "bemerkung", "commentaire", "comentario", "comentário",
    "poznámka", "комментарий", "备注", "评论", "コメント", "備考",
}  # fmt: skip
"""Words that no system is called by: what begins or ends with one, as `A_comment`, is about a text."""

_ABOUT_TEXTS = {
    "explain", "backtranslation", "back_translation", "bt", "romaji", "pinyin", "ipa", "pos", "lemma", "reasoning",
    "reasoning_content", "thought", "thinking", "chain_of_thought", "cot", "rationale", "analysis", "review",
    "feedback", "critique", "instruction", "prompt", "prompt_instruction", "context", "summary", "hint", "glossary",
    "terminology", "term", "keyword", "info", "metadata", "description", "title", "changelog", "todo", "log", "stderr",
    "stdout", "prev", "previous", "next", "preceding", "following",
}  # fmt: skip
"""Words that stand alone where they are about a text; a system may end in one, as `gpt-thinking`."""

_QUALIFIERS = {"src", "source", "ref", "reference", "target", "tgt", "mt", "hyp", "error", "segment", "human", "model"}
"""Words that say of what a text is, and no more of what it is."""

METADATA = LANGUAGE_PAIRS | RATERS | {
    PAIR,
    "lang", "language", "src_lang", "tgt_lang", "source_lang", "target_lang", "source_language", "target_language",
    "dataset_id", "collection_id", "testset", "split", "url", "multimodal_instruction", "evaluation_instruction",
    "video", "screenshot", "gold_transcript", "cost", "comments", "notes", *_REMARKS, *_ABOUT_TEXTS,
}  # fmt: skip
"""Columns that are about texts, and never one."""


_LOOKED_AT = 1_000
"""Characters of a name that are looked at: tables without a head have texts where names would stand."""


def _of_words(name: str) -> list[str]:
    """Return the words of a name in the singular, without those that say of what it is."""
    words = [word for word in re.split(r"[\W_]+", name[:_LOOKED_AT].lower()) if word]
    own = [word for word in words if word not in _QUALIFIERS and not is_language(word)] or words
    return [word.removesuffix("s") if word.removesuffix("s") in _REMARKS | _ABOUT_TEXTS else word for word in own]


def is_about_texts(name: str) -> bool:
    """Return whether a name says that it holds remarks on texts, or other forms of them, and no output.

    >>> [is_about_texts(name) for name in ("gloss", "src_notes", "A_comment", "gpt-thinking", "context-aware")]
    [True, True, True, False, False]
    """
    words = _of_words(name)
    return bool(words) and ("_".join(words) in _ABOUT_TEXTS or bool({words[0], words[-1]} & _REMARKS))


def may_be_about_texts(name: str) -> str:
    """Return the word at the end of a system's name for which it may be about texts; "" where there is none."""
    words = _of_words(name)
    return next((end for end in (words[-1:], words[-2:]) if "_".join(end) in _ABOUT_TEXTS), [""])[-1]


TARGETS = {"target", "tgt", "target_text", "target_segment", "target_sentence"}
"""An output beside a column of SYSTEMS; without one, what was translated by hand: a reference."""

_BY_HAND = TARGETS | {
    "gold", "gold_text", "gold_translation", "ground_truth", "human_translation", "original_target", "expected",
    "expected_output", "pe", "post_edit", "postedit",
}  # fmt: skip


MAYBE_ROLES: dict[Role, re.Pattern[str]] = {
    "reference": re.compile(r"human|labels?|answers?|tgt_text|.*_(?:ref|reference|gold|human)"),
    "source": re.compile(r"question|query|sentence1|.*_(?:src|source)"),
}
"""Columns that are a reference, or a source, where no other is: as likely outputs, or something else."""


def is_target(column: str) -> bool:
    """Return whether a column is called a target, perhaps with its language."""
    bare, _, language = plain_name(column).rpartition("_")
    return plain_name(column).removesuffix("s") in TARGETS or (
        bare in TARGETS and is_language(language) and language not in OUTPUTS
    )


_NUMBERED = re.compile(r" ?\(\d+\)$")


_IN_OTHER_LANGUAGES = """
score: punktzahl punkte punktwert bewertung wertung puntuación puntaje calificación pontuação pontos punteggio
  valutazione skóre hodnocení známka wynik ocena оценка балл 分数 得分 评分 分數 評分 スコア 得点 点数 評価 評点 점수
system: système systeme sistema systém система 系统 系統 システム 시스템 übersetzungssystem
model: modell modèle modelo modello модель 模型 モデル 모델
segment: segmento сегмент 片段 セグメント 세그먼트 zeile ligne línea linha riga řádek 行
sentence: satz phrase frase oración věta zdanie предложение 句子 文
segment_id: segmentnummer segment_nummer satznummer satz_nr satz_id zeilennummer id_segment id_segmento segmento_id
  numéro_de_segment numéro_segment número_de_segmento número_segmento id_segmentu číslo_segmentu 句子编号 片段编号 段号
  文番号 セグメント番号 セグメントid 行番号
index: nummer numéro número numero číslo номер 编号 序号 編號 番号 번호
document: dokument documento документ 文档 文檔 文書 ドキュメント 문서
document_id: dokument_id dokumentnummer id_document id_documento documento_id id_dokumentu 文档编号 文書番号 文書id
paragraph: absatz paragraphe párrafo parágrafo odstavec 段落
domain: domäne domaine dominio domínio doména 领域 領域 ドメイン
rater: bewerter bewerterin gutachter gutachterin annotatorin évaluateur annotateur juge evaluador anotador juez
  avaliador juiz valutatore annotatore hodnotitel anotátor оценщик аннотатор oceniający 评分者 评估者 评估员 标注者
  标注员 評分者 評価者 アノテーター 평가자
reference: referenz referenzübersetzung référence traduction_de_référence referencia traducción_de_referencia
  referência tradução_de_referência riferimento referenční_překlad referenční_text эталон referencja 参考 参考译文
  参考翻译 參考譯文 参照 参照訳 リファレンス 참조
references: referenzen références referencias referências riferimenti
source: quelle quelltext quellsatz ausgangstext originaltext texte_source phrase_source fuente texto_fuente
  texto_original oración_fuente fonte texto_fonte texto_de_origem sorgente testo_sorgente zdroj zdrojový_text originál
  исходный_текст источник оригинал źródło 源 源文 源句 源文本 原文 ソース 入力文 원문
sources: quellen fuentes fontes zdroje
hypothesis: hypothese hypothèse hipótesis hipótese ipotesi hypotéza гипотеза 仮説
translation: übersetzung traduction traducción tradução traduzione překlad перевод tłumaczenie 译文 譯文 翻译 訳文 翻訳
  번역
machine_translation: 机器译文 機械翻訳 maschinelle_übersetzung traduction_automatique
score: puntuatie punkter pontszám scor puan σκορ βαθμός điểm คะแนน skor امتیاز درجة अंक poäng
source: bron brontekst källa källtext kilde kildetekst lähde lähdeteksti forrás forrásszöveg sursă text_sursă kaynak
  kaynak_metin πηγή מקור المصدر النص_المصدر نص_المصدر منبع स्रोत nguồn văn_bản_nguồn ต้นฉบับ sumber teks_sumber джерело
  вихідний_текст tekst_źródłowy vir izvor източник font originalas allikas avots šaltinis
reference: referentie referentievertaling referens referensöversättning referanse viite viitekäännös referencia
  referenciafordítás referință referans referans_çeviri αναφορά μετάφραση_αναφοράς תרגום_ייחוס المرجع الترجمة_المرجعية
  ترجمة_مرجعية مرجع ترجمه_مرجع संदर्भ संदर्भ_अनुवाद tham_chiếu bản_dịch_tham_chiếu อ้างอิง คำแปลอ้างอิง referensi
  terjemahan_referensi еталон еталонний_переклад tłumaczenie_referencyjne przekład_referencyjny tekst_referencyjny
  эталонный_перевод referenca референция референтен_превод
translation: vertaling översättning oversættelse oversettelse käännös fordítás traducere çeviri μετάφραση תרגום ترجمة
  ترجمه अनुवाद bản_dịch คำแปล terjemahan переклад превод prevod prijevod
system: systeem järjestelmä rendszer σύστημα מערכת نظام سیستم तंत्र hệ_thống ระบบ
segment: segmentti szegmens τμήμα مقطع खंड đoạn
output: ausgabe sortie salida saída výstup 输出 出力
"""
"""What columns, files and folders are called in German, French, Spanish, Portuguese, Czech, Chinese, Japanese …"""


def _folded(name: str) -> str:
    """Return a name without its accents, and ue for ü as some keyboards write it."""
    bare = normalized("NFKD", name.replace("ue", "u").replace("ae", "a").replace("oe", "o"))
    return "".join(sign for sign in bare if not unicodedata.combining(sign))


_ENGLISH: dict[str, str] = {
    _folded(word): english
    for english, words in re.findall(r"(\w+):([^:]+)(?=\n\w+:|$)", _IN_OTHER_LANGUAGES) for word in words.split()
}  # fmt: skip

_LONGEST = 2 * max(map(len, _ENGLISH))
"""Characters of a name that may be a word of _ENGLISH, with a number, a language, accents and spaces."""

_NUMBER_OR_LANGUAGE = re.compile(r"(.+?)_?\(?((?<=[\W_])[a-z]{2,3}|\d+)\)?")


def _in_english(plain: str) -> str:
    """Return a plain name in English where it is a word known from another language; else as it is."""
    if len(plain) > _LONGEST:
        return plain
    tail = _NUMBER_OR_LANGUAGE.fullmatch(plain)
    if tail and (tail[2].isdigit() or is_language(tail[2])) and (english := _ENGLISH.get(_folded(tail[1]))):
        return f"{english}_{tail[2]}"
    return _ENGLISH.get(_folded(plain.rstrip("_")), plain)


def _plain(name: str) -> str:
    return re.sub(r"[\s.\-]+", "_", _HUMP.sub("_", name[:_LOOKED_AT].strip()).lower())


_HUMP = re.compile("(?<=[a-z])(?=[A-Z][a-z])")


def pair_column(columns: Sequence[str], whole: bool = False) -> str | None:
    """Return the column of language pairs; whole: whether a row is a text or a system, whose pair is of languages."""
    wanted = LANGUAGE_PAIRS | {PAIR} if whole else LANGUAGE_PAIRS
    return next((column for column in columns if plain_name(column) in wanted), None)


@remembered()
def plain_name(column: str) -> str:
    """Return a column's name for comparison, in English where it is a word known from another language.

    >>> [plain_name(name) for name in ("Seg-ID", "Système", "Referenz 2", "原文", "Übersetzer")]
    ['seg_id', 'system', 'reference_2', 'source', 'übersetzer']
    """
    return _in_english(_plain(column))


_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta
te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ace afr aka als amh ara arb ars
ary arz asm ast awa ayr azb azj bak bam ban bel bem ben bho bjn bod bos bug bul cat ceb ces cjk ckb cmn crh cym cze
dan deu dik dut dyu dzo ell eng epo est eus ewe fao fas fij fil fin fon fra fre fur fuv gaz ger gla gle glg gre grn
guj hat hau hbs heb hin hne hrv hun hye ibo ice ilo ind isl ita jav jpn kab kac kam kan kas kat kaz kbp kea khk khm
kik kin kir kmb kmr knc kon kor lao lat lav lij lim lin lit lmo ltg ltz lua lug luo lus lvs mag mai mal mar may min
mkd mlt mni mon mos mri msa mya nep nld nno nob nor npi nso nus nya oci ory pag pan pap pbt per pes plt pol por prs
pus que ron rum run rus sag san sat scn shn sin slk slo slv smo sna snd som sot spa sqi srd srp ssw sun swa swe swh
szl tam taq tat tel tgk tgl tha tib tir tpi tsn tso tuk tum tur twi tzm uig ukr umb urd uzb uzn vec vie wao war wol
xho ydd yor yue zho zsm zul
"""
_LANGUAGES = frozenset(_CODES.split())
"""Codes of ISO 639 that files of parallel texts end in."""

_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[_-](?:[A-Z]{2}|[A-Z][a-z]{3})){0,2}")

_ENDINGS = """
txt text out output outputs hyp hyps hypo hypos hypothesis hypotheses pred preds prediction predictions mt trans
translation translations translated decoded tok detok src ref tgt sys plain log md docs
"""
_TEXT_ENDINGS = frozenset(_ENDINGS.split())
"""Endings of files of text, beside those of NOT_LINES and of tables."""


_GENERAL = _TEXT_ENDINGS | {"generated", "generate", "test", "result", "results", "final", "best", "dev", "valid"}


def is_general(name: str) -> bool:
    """Return whether a name says no more than that it is an output: hyps, generated_predictions."""
    return all(word in _GENERAL for word in re.split(r"[\W_]+", name.lower()) if word)


def is_language(name: str) -> bool:
    """Return whether a name is the code of a language, perhaps with script and region: de, eng_Latn, zh-CN."""
    language = _LANGUAGE.fullmatch(name)
    return language is not None and language[1].lower() in _LANGUAGES


_NAMES_OF_LANGUAGES = """
arabic bengali bulgarian catalan chinese croatian czech danish dutch english estonian finnish french german greek hebrew
hindi hungarian icelandic indonesian italian japanese korean latvian lithuanian norwegian persian polish portuguese
romanian russian serbian slovak slovenian spanish swahili swedish tamil thai turkish ukrainian urdu vietnamese
"""
_SPELLED_OUT = frozenset(_NAMES_OF_LANGUAGES.split())
_OF_LANGUAGE = re.compile(r"(?:(?:sentence|text|translation|segment)[_. -])?(.+)", re.IGNORECASE)


def language_in(column: str) -> str:
    """Return the language that a column is called by: en, German, sentence_spa_Latn; "" where by something else."""
    bare = _OF_LANGUAGE.fullmatch(column.strip())
    named = bare is not None and (is_language(bare[1]) or bare[1].lower() in _SPELLED_OUT)
    return bare[1] if bare and named and plain_name(column) not in OUTPUTS | SYSTEMS | COUNTERS | TARGETS else ""


def language_of(file_name: str) -> str:
    """Return the language that a file's name ends in; "" where it ends in none."""
    stem, _, ending = file_name.removesuffix(".gz").rpartition(".")
    if stem and _is_ending(ending) and not is_language(ending):
        return language_of(stem)
    return ending if stem and is_language(ending) else ""


def _is_ending(piece: str) -> bool:
    """Return whether what follows a dot is an ending that is known: of a kind of file, or a language."""
    low = piece.lower()
    if low in _TEXT_ENDINGS or f".{low}" in NOT_LINES | TABLE_SUFFIXES:
        return True
    return is_language(piece)


def name_of(file_name: str, role: Role = "system") -> str:
    """Return what a text goes by: its file's name without the endings that are known ones.

    The number of a reference is an ending, too: refs.en.0.

    >>> [name_of(name) for name in ("ours.hyp.en.txt", "ours.de", "gpt-4.1", "nllb-200-3.3B", "ours.opt0")]
    ['ours', 'ours', 'gpt-4.1', 'nllb-200-3.3B', 'ours.opt0']
    """
    stem, _, ending = file_name.rpartition(".")
    known = _is_ending(ending) or (role == "reference" and ending.isdigit())
    return name_of(stem, role) if stem.strip(".") and known else file_name


def names_of(paths: Sequence[str], role: Role = "system") -> list[str]:
    """Return what the texts at these paths go by: names that collide keep as much as tells them apart.

    >>> names_of(["runs/a/out.txt", "runs/b/out.txt", "c.txt"])
    ['a/out', 'b/out', 'c']
    """
    # Windows separates folders by backslashes; \xe8 is a byte that is not text (as_text).
    split = [re.split(r"/|\\(?!x[0-9a-f]{2})", path) for path in paths]
    names = [name_of(own[-1], role) for own in split]
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        groups.setdefault(name, []).append(place)
    for name, group in groups.items():
        deepest = max(len(split[place]) for place in group)
        for depth, whole in product(range(deepest), (False, True)):
            own = [[*split[place][-1 - depth : -1], split[place][-1] if whole else name] for place in group]
            if len(set(map(tuple, own))) == len(group):
                for place, pieces in zip(group, own, strict=True):
                    names[place] = "/".join(pieces)
                break
    return names


def reference_name(translator: str) -> str:
    """Return what a reference goes by whose translator is called so: refA for the letter A, as WMT's files have it."""
    return "ref" + translator if len(translator) <= 2 else translator


def is_about_the_data(name: str) -> bool:
    """Return whether a file is hidden, or says that it is about the data: a licence, a manual."""
    return _OF_PROGRAMS.fullmatch(name) is not None or _ABOUT_THE_DATA.match(name) is not None


def is_copy(name: str) -> bool:
    """Return whether a file is by its name a back-up copy, an editor's own file, or half a download."""
    return _COPY.fullmatch(name.removesuffix(".gz")) is not None


def older_copy_of(name: str, others: Collection[str]) -> str:
    """Return the one of other texts of which a text may by its name be an older copy, as A-old of A; "" without one."""
    found = _OLDER.fullmatch(name)
    return found[1] if found is not None and found[1] in others else ""


def role_of_folder(folder: Sequence[str]) -> Role | None:
    """Return the role of the files in a folder, when its name says it."""
    return FOLDERS.get(folder[-1].lower(), FOLDERS.get(plain_name(folder[-1]))) if folder else None


def role_of_name(name: str) -> Role:
    """Return the role that a file's or column's name suggests; a name that suggests none is a system's."""
    # Browsers put a number behind a name that is there already.
    bare = _NUMBERED.sub("", name[:_LOOKED_AT])
    if (english := plain_name(bare)) != _plain(bare):
        bare = english
    low = bare.lower()
    if is_about_texts(bare):
        return "ignored"
    if _REFERENCE.match(bare) or _REF_INSIDE.search(low):
        return "reference"
    if _SRC_INSIDE.search(low):
        return "source"
    if _SOURCE.match(bare) and not (low.startswith("src") and in_doubt(bare, "source")):
        return "source"
    if plain_name(low) in DOCUMENT_FILES:
        return "documents"
    if low in ORIGINAL_LANGUAGES or low in {"origlangs", "original_languages"}:
        return "original languages"
    return "domains" if low == "domains" else "system"


def says_role(suffix: str) -> bool:
    """Return whether a file's suffix says that it is a source or a reference."""
    return _REF_INSIDE.fullmatch(suffix) is not None or _SRC_INSIDE.fullmatch(suffix) is not None


def in_doubt(name: str, role: Role) -> bool:
    """Return whether a name that begins like that of a reference or source goes on unlike it, as in ref-like."""
    word = (_REFERENCE if role == "reference" else _SOURCE).match(name) if role in {"reference", "source"} else None
    return word is not None and _USUAL.fullmatch(name[word.end() :]) is None


def of_one_source(named: Sequence[tuple[str, Role]]) -> list[Role]:
    """Return the roles that names suggest: beside a source, source-aware is the output of a system."""
    unsure = [role == "source" and in_doubt(name, role) for name, role in named]
    sure = any(role == "source" and not doubt for (_, role), doubt in zip(named, unsure, strict=True))
    return ["system" if doubt and sure else role for (_, role), doubt in zip(named, unsure, strict=True)]


def may_be_target(name: str) -> bool:
    """Return whether a file is called a target or gold, as a reference may be, and an output as well."""
    return re.fullmatch(r"(?:tgt|target|golden|gold)(?:[._ -].+)?", name.lower()) is not None


def is_translated(name: str) -> bool:
    """Return whether a name is a word of another language than English: a system may be called so."""
    return plain_name(name) != _plain(name)


def may_be_documents(name: str) -> bool:
    """Return whether a file of this name may hold document ids or texts: its lines say which."""
    return plain_name(_NUMBERED.sub("", name[:_LOOKED_AT])) in _MAYBE_DOCUMENT_FILES


@remembered()
def role_of_column(name: str) -> Role:
    """Return the role that the name of a column or field suggests."""
    plain = plain_name(name)
    if plain in COUNTERS or plain in METADATA or is_about_texts(plain):
        return "ignored"
    if plain in DOCUMENTS:
        return "documents"
    if plain in DOMAINS:
        return "domains"
    if plain in SOURCES:
        return "source"
    if plain in _BY_HAND or is_target(name):
        return "reference"
    return role_of_name(name.strip())


def suffix_of(path: PurePosixPath) -> str:
    """Return the suffix of a path in small letters."""
    return path.suffix.lower()


def folders_of(path: PurePosixPath) -> tuple[str, ...]:
    """Return the folders of a path, from the top."""
    return tuple(piece for piece in path.parts[:-1] if piece not in {"/", ".", ".."})


def shared_depth(paths: Sequence[PurePosixPath]) -> int:
    """Count the folders, from the top, that hold all files, without those whose names say what is in them."""
    folders = [folders_of(path) for path in paths]
    # A file such as .DS_Store beside the folder does not say where the test set begins.
    telling = [
        folder[:-1] if folder and folder[-1].lower() in FOLDERS else folder
        for path, folder in zip(paths, folders, strict=True)
        if not path.name.startswith(".")
    ]
    depth = 0
    for level in zip(*(telling or folders), strict=False):
        if len(set(level)) > 1:
            break
        depth += 1
    return depth


@dataclass(frozen=True)
class Scale:
    """A known kind of score: the words that name it, its direction, and between which values it usually lies.

    better: "by sign" means that the score counts errors, so that lower is better as long as it is stored as it is, and
    higher when it is stored with a minus. people: whether people give it.
    """

    title: str
    words: tuple[str, ...]
    better: Literal["higher", "by sign"]
    about: str
    low: float | None = None
    high: float | None = None
    people: bool = False


RATING_SCALES: tuple[Scale, ...] = (
    Scale("MQM", ("mqm",), "higher", "minus the weighted number of errors: 0 is perfect", high=0, people=True),
    Scale("ESA", ("esa", "cesa"), "higher", "0 to 100", 0, 100, people=True),
    Scale("SQM", ("sqm",), "higher", "0 to 6, or 0 to 100", 0, 100, people=True),
    Scale("XSTS", ("xsts",), "higher", "1 to 5", 1, 5, people=True),
    Scale("adequacy, fluency", ("adequacy", "fluency"), "higher", "1 to 5", 1, 5, people=True),
    Scale("correct", ("correct", "acceptable"), "higher", "1 = right, 0 = wrong", 0, 1, people=True),
    Scale("accuracy, exact match, F1", ("acc", "accuracy", "em", "exact", "f1"), "higher",
          "1 = right, 0 = wrong, or a share between them", 0, 1),
    Scale("COMET", ("comet", "xcomet", "cometkiwi", "kiwi", "cometoid"), "higher", "about 0 to 1"),
    Scale("BLEURT", ("bleurt",), "higher", "about 0 to 1"),
    Scale("BERTScore, BARTScore", ("bertscore", "bartscore", "prism"), "higher", "BARTScore and Prism are negative"),
    Scale("YiSi, UniTE", ("yisi", "unite"), "higher", "about 0 to 1"),
    Scale("GEMBA", ("gemba",), "higher", "0 to 100; GEMBA-MQM is negative"),
    Scale("MaTESe, SEScore", ("matese", "sescore"), "higher", "minus the weighted number of errors"),
    Scale("BLEU", ("bleu", "sentbleu", "sentencebleu", "spbleu"), "higher", "0 to 100, or 0 to 1"),
    Scale("chrF", ("chrf", "chrfs"), "higher", "0 to 100, or 0 to 1"),
    Scale("METEOR, NIST, ROUGE, hLEPOR", ("meteor", "nist", "rouge", "hlepor"), "higher", ""),
    Scale("DA", ("da", "raw", "z", "appraise", "human"), "higher",
          "direct assessment: 0 to 100, or standardized (z)", people=True),
    Scale("MetricX", ("metricx",), "by sign", "0 to 25, lower is better; often stored negated"),
    Scale("TER, HTER, WER, CER, EED", ("ter", "hter", "wer", "cer", "eed"), "by sign",
          "errors, lower is better; often stored negated"),
)  # fmt: skip
"""What is known of ratings by name: the table that decides directions, and that is shown where one is asked for."""

_TURNS = {
    "error", "errors", "neg", "negative", "negated", "minus", "inverse", "inverted", "penalty", "loss", "cost",
    "distance", "rank", "diff", "difference", "delta", "time", "seconds", "length", "count", "std", "sd", "variance",
}  # fmt: skip
"""Words after which a name no longer says which direction is better."""


def scale_of(name: str) -> Scale | None:
    """Return the known scale that a rating's name tells, or None: no word of it is known, or one turns its meaning."""
    words = _words_of(name)
    if _TURNS & words:
        return None
    return next((scale for scale in RATING_SCALES if words & set(scale.words)), None)


_UNSAID = {"human", "appraise"}
"""Words that say that people rate, and not by which protocol."""


def protocol_by_name(name: str) -> str:
    """Return the protocol of human evaluation that a rating's name tells, or nothing.

    >>> protocol_by_name("en-de.mqm"), protocol_by_name("human")
    ('MQM', '')
    """
    words = _words_of(name)
    if given_by(name) != "people" or not words - _UNSAID:
        return ""
    return next((scale.title for scale in RATING_SCALES if words & (set(scale.words) - _UNSAID)), "")


def given_by(name: str) -> Literal["people", "programs", ""]:
    """Return who gave a rating, as far as its name tells: programs too give MQM and direct assessments."""
    words = _words_of(name)
    scales = [scale for scale in RATING_SCALES if words & set(scale.words)]
    if any(not scale.people for scale in scales):
        return "programs"
    return "people" if scales else ""


def _words_of(name: str) -> set[str]:
    words = re.split(r"[^a-z0-9]+", name.lower())
    return {*words, *(word.rstrip("0123456789") for word in words)}
