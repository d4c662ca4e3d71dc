"""What is run: every verb of the command line, every exporter, every page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """Command lines that are run one after the other in a folder of their own."""

    name: str
    commands: tuple[str, ...]
    own_cache: bool = False


LONGEST = 600
"""Seconds after which a command is ended."""

# Every run happens in a folder with these three links, so that no path in any output depends on the machine:
# `sample` (the sample data), `shared` (the shared sets), `made` (what `make_inputs` writes).

SAMPLE = "--data sample"
THREE_REFERENCES = (
    "--ref sample/refs/ref.txt second=sample/more_refs/ref2.txt third=sample/more_refs/ref3.txt "
    "--docs sample/docids.txt --source sample/source.txt --sys sample/systems/direct.txt sample/systems/via-catalan.txt"
)
RUSSIAN = "--data shared/wmt21-ru-en --systems Facebook-AI NVIDIA-NeMo Online-W Online-G"  # documents, people's ratings
CHINESE = "--data shared/wmt22-en-zh --systems Online-W LanguageX HuaweiTSC"  # a Chinese target
GERMAN = "--data shared/wmt21-en-de --systems Facebook-AI Online-W UEdin"  # four references, MQM, no documents
TED = "--data shared/wmt21-ted-zh-en --systems NiuTrans SMU Online-W"  # five documents only
RUNS = "--ref shared/multeval-example/refs.test2010.lc.tok.en.0 --sys " + " ".join(
    f"{system}.run{n}=shared/multeval-example/hyps.lc.tok.en.{system}.opt{n}"
    for system in ("baseline", "sys1")
    for n in range(3)
)

SEVERAL = "--set shared/wmt22-several/en-cs shared/wmt22-several/en-uk"  # two sets, documents, systems in common

VERBS = (
    "read download check count score compare gate audit segments meta-eval raters delta runs power size-curve plan "
    "report card calibrate experiment papers lessons parse metrics dashboard cache completion"
)
METRICS = (
    "bleu chrf chrf++ ter nist meteor meteor-1.5 rouge-l gtm wer per mbleu precision bp ratio sentbleu sentchrf sentter"
)
# A test and an interval that go together; the others need a mean of segments.
TESTS = (
    "auto:auto ar:percentile jackknife-t:jackknife ij-t:ij bootstrap-shift:basic bootstrap-t:bootstrap-t "
    "bootstrap-ci:bca bootstrap-koehn:koehn bootstrap-rm2005:normal sacrebleu-bs:percentile sacrebleu-ar:simultaneous"
)
MEAN_TESTS = "t:t wilcoxon:jackknife sign:percentile"
CORRECTIONS = "minp holm bonferroni none sidak hommel minp-single maxt maxt-down bh by"
EXPERIMENTS = {
    "separation": SAMPLE,
    "references": f"{THREE_REFERENCES} --repeats 3",
    "n_resamples": f"{SAMPLE} --total 10000 --sizes 10 100 500",
    "variation": f"{SAMPLE} --size 20 --orders 50",
    "coverage": f"{SAMPLE} --size 20 --sets 10 --resamples 100",
    "conclusions": f"{SAMPLE} --sizes 20 40 --sets-per-size 10 5 --resamples 100",
    "length": f"{SAMPLE} --keep .8 1",
    "sensitivity": SAMPLE,
    "tests": f"{SAMPLE} --resamples 200",
    "rerank": f"{SAMPLE} --resamples 200",
    "multiplicity": f"{SAMPLE} --size 50 --simulations 50 --resamples 99",
    "peeking": f"{SAMPLE} --looks 4 --size 100 --simulations 50",
    "relations": f"{SAMPLE} --resamples 200",
    "sentence": SAMPLE,
    "orderings": SAMPLE,
    "nist-weights": f"{SAMPLE} --resamples 50",
    "calibrate": f"{SAMPLE} --simulations 50 --resamples 99 --tests ar ij-t --sizes 20 --effects 0 1 --drawn segments",
}
# Title -> the data that it is drawn with besides the sample.
PAGES = {
    **dict.fromkeys(("Data", "Results", "Compare two", "Segments", "Planning", "Paper"), ""),
    "Trust": "--data sample --ratings COMET=made/ratings.tsv:higher esa=made/esa.csv",
    "Test sets": "--set made/sets/first made/sets/second",
    "Learn": "",
    "Lab": "",
}
QUICK = ("separation", "sensitivity", "sentence")
"""Experiments that are run on the page, not only chosen."""


def every_run(shared: bool) -> list[Run]:
    """Return all runs, the longest first, so that none of them is waited for alone at the end."""
    runs = [*_pages(), *_reports(), *_experiments(), *_on_sample(), *_choices(), *_wrong(), *_helps()]
    return [*_on_shared(), *runs] if shared else runs


def _one(name: str, *commands: str) -> Run:
    return Run(name, commands)


def _helps() -> list[Run]:
    alone = [_one(f"help-{verb}", f"{verb} --help") for verb in VERBS.split()]
    return [
        _one("help", "--help", "--version"),
        _one("help-experiment-calibrate", "experiment calibrate --help"),
        *alone,
    ]


def _pages() -> list[Run]:
    return [
        Run(f"page-{title.lower().replace(' ', '-')}", (f"PAGE {title} {data}".rstrip(),))
        for title, data in reversed(PAGES.items())
    ]


def _on_sample() -> list[Run]:
    pair = f"{SAMPLE} --pair direct direct-us"
    return [
        _one("score-every-metric", f"score {SAMPLE} --metric {METRICS} --resamples 200 --format json"),
        _one("score-table", f"score {SAMPLE} --metric bleu chrf ter", f"score {SAMPLE} --format csv --no-cache"),
        _one("score-references", f"score {THREE_REFERENCES} --metric bleu:tokenize=intl,lowercase=true chrf:beta=1"),
        _one("score-files", "score --ref sample/refs/ref.txt --sys ours=sample/systems/direct.txt --format json"),
        _one("score-parses", f"score {SAMPLE} --parses {_parses()} --metric depf --format json"),
        _one("score-ratings", f"score {SAMPLE} --ratings effort=made/ratings.tsv:lower --format json"),
        _one("compare-table", f"compare {SAMPLE} --metric bleu chrf", f"compare {SAMPLE} --format csv"),
        _one("compare-json", f"compare {SAMPLE} --metric bleu chrf --correct-jointly -o study.json --format json"),
        _one("compare-segments", f"compare {SAMPLE} --unit segment --resamples 500 --format json --baseline direct"),
        _one("compare-by-length", f"compare {SAMPLE} --by length --resamples 200", f"{_by('length:3')} --format json"),
        _one("compare-one-sided", f"compare {pair} --alternative greater --level 0.9"),
        _one("compare-slice", f"compare {SAMPLE} --subset length=short --resamples 200 --unit segment --format json"),
        _one("compare-ratings", f"compare {SAMPLE} --ratings made/ratings.tsv:higher --metric ratings --resamples 200"),
        _one("audit-table", f"audit {pair} --resamples 500 --as-sacrebleu"),
        _one("audit-json", f"audit {pair} --resamples 500 --as-sacrebleu --format json --metric bleu chrf"),
        _one("segments-table", f"segments {pair} --resamples 500", f"segments {pair} --bucket number --format csv"),
        _one(
            "segments-json",
            f"segments {pair} --unit segment --resamples 500 --metric ter --format json --sort absolute",
        ),
        _one("segments-html", f"segments {pair} --top 10 --format html"),
        _one("power-table", f"power {pair} --difference 0.5 --margin 1"),
        _one("power-json", f"power {pair} --difference 0.5 --margin 1 --comparisons 10 --power .9 --format json"),
        _one("size_curve-table", f"size-curve {SAMPLE} --shares .2 .5 1 --repeats 10"),
        _one(
            "size_curve-json",
            f"size-curve {SAMPLE} --shares .5 1 --repeats 3 --subset-interval percentile --subset-resamples 100 "
            "--format json",
        ),
        _one("runs-made", f"runs {SAMPLE} --runs d=direct,direct-us v=via-catalan,via-galician --resamples 500"),
        _one("check", f"check {SAMPLE}", f"check {SAMPLE} --format json"),
        _one("check-made", "check --data made/odd --format json"),
        _one("read", "read --data sample", "read --data sample --format json", "read --data made/sample.zip"),
        _one("read-tables", "read --data made/wide.tsv --format json", "score --data made/wide.tsv --resamples 200"),
        _one("metrics", "metrics", "metrics bleu meteor", f"metrics {METRICS}"),
        _one("count", f"count {SAMPLE} --metric bleu chrf -o c.parquet", "compare --counts c.parquet --format json"),
        _one("gate", f"gate {SAMPLE} --baseline direct --candidate direct-us --margin 1 --format json"),
        _one("lessons", f"lessons {SAMPLE} --lesson 1 6 --to html --solutions --out handouts"),
        _one("completion", "completion bash"),
        _one("statement", f"compare {SAMPLE} --metric bleu chrf --statement all --out said"),
        _one(
            "plan",
            "plan --metric bleu chrf --baseline direct --resamples 300",
            "plan made/plan.toml",
            "plan --correct-jointly",
        ),
        _one("compare-plan", f"compare {SAMPLE} --plan made/plan.toml -o planned.json"),
        _one("reproduce", f"papers koehn2004 {SAMPLE} --out out"),
        Run("cache", ("cache", f"score {SAMPLE} --metric bleu chrf", "cache", "cache --clear", "cache"), True),
    ]


def _by(by: str) -> str:
    return f"compare {SAMPLE} --by {by} --resamples 200"


def _parses() -> str:
    return " ".join(f"made/parses/{name}.conllu" for name in ("ref", *SYSTEMS))


SYSTEMS = ("direct", "direct-us", "via-catalan", "via-esperanto", "via-galician")


def _choices() -> list[Run]:
    """Return runs with every test, interval and correction."""
    base = f"compare {SAMPLE} --resamples 200 --unit segment --format json"
    judged = f"score {SAMPLE} --ratings correct=made/right.tsv --metric correct --format json"
    return [
        # Two intervals that are of scores, and of shares, alone.
        _one("interval-sacrebleu", f"score {SAMPLE} --resamples 200 --unit segment --interval sacrebleu --format json"),
        _one("interval-wilson", f"{judged} --unit segment --interval wilson"),
        *_tests(base, TESTS),
        *_tests(f"{base} --metric sentbleu", MEAN_TESTS),
        *(_one(f"correction-{one}", f"{base} --correction {one}") for one in CORRECTIONS.split()),
        _one("correction-tukey", f"{base} --metric sentbleu --test t --correction tukey"),
        _one("correction-scheffe", f"{base} --metric sentbleu --test t --correction scheffe"),
        _one("correction-nemenyi", f"{base} --metric sentbleu --test wilcoxon --correction nemenyi"),
    ]


def _tests(base: str, pairs: str) -> list[Run]:
    named = [one.split(":") for one in pairs.split()]
    return [_one(f"test-{test}", f"{base} --test {test} --interval {interval}") for test, interval in named]


def _reports() -> list[Run]:
    study = f"compare {SAMPLE} --metric bleu chrf --resamples 500 -o study.json"
    every = "html latex pdf svg png pgf markdown csv xlsx json"
    return [
        _one("report-every-format", study, f"report study.json --to {every} --out out"),
        _one(
            "report-widths",
            f"compare {SAMPLE} --unit segment --resamples 200 -o study.json",
            "report study.json --to pdf:paper=acl-full svg:paper=neurips-half --out out",
            f"report study.json {SAMPLE} --to svg pdf --pair direct direct-us --size-curve --out drawn",
        ),
        _one(
            "report-against",
            f"compare {SAMPLE} --resamples 200 -o one.json",
            f"compare {SAMPLE} --resamples 300 --seed 7 -o two.json",
            "report one.json --since two.json",
            "report one.json --since one.json",
            "report one.json --data made/odd --to json --out out",
        ),
    ]


def _experiments() -> list[Run]:
    named = [
        _one(f"experiment-{name}", f"experiment {name} {words} --format json") for name, words in EXPERIMENTS.items()
    ]
    drawn = "--out out --to pdf svg png --width acl-full"
    calibrated = (
        "calibrate --simulated 28 27 --simulations 50 --resamples 99 --tests ar bootstrap-shift --sizes 50 --effects 0"
    )
    return [
        *reversed(named),
        _one("experiment-figures", f"experiment tests {SAMPLE} --resamples 200 {drawn}"),
        _one("experiment-tables", f"experiment separation {SAMPLE}", f"experiment sentence {SAMPLE} --format csv"),
        _one("calibrate-table", f"{calibrated} --drawn segments"),
    ]


def _on_shared() -> list[Run]:
    ratings = "--ratings da-z=shared/wmt21-ru-en/human/da.seg.tsv"
    trust = f"meta-eval {RUSSIAN} {ratings} --metric"
    mqm = "--ratings mqm=shared/wmt21-en-de/human/mqm.seg.tsv"
    return [
        _one("russian-compare", f"compare {RUSSIAN} {ratings} --metric bleu da-z chrf --resamples 500 --format json"),
        _one("russian-table", f"compare {RUSSIAN} {ratings} --metric da-z --unit document"),
        _one("russian-score", f"score {RUSSIAN} --metric bleu nist --resamples 200 --format json"),
        _one("russian-audit", f"audit {RUSSIAN} --pair Facebook-AI Online-W --resamples 200 --format json"),
        _one(
            "russian-relations",
            f"experiment relations {RUSSIAN} {ratings} --metric bleu da-z --resamples 200 --format json",
        ),
        _one("chinese-compare", f"compare {CHINESE} --metric bleu chrf --resamples 500 -o study.json --format json"),
        _one("chinese-table", f"score {CHINESE} --metric bleu bleu:tokenize=13a --resamples 200", f"check {CHINESE}"),
        _one("chinese-by-domain", f"compare {CHINESE} --by length --resamples 200"),
        _one("german-compare", f"compare {GERMAN} {mqm} --metric bleu mqm chrf++ --resamples 200 --format json"),
        _one("german-score", f"score {GERMAN} --metric bleu rouge-l --resamples 200", f"check {GERMAN} {mqm}"),
        _one("german-references", f"experiment references {GERMAN} --repeats 2 --format json"),
        _one(
            "russian-trust",
            f"meta-eval {RUSSIAN} {ratings} --metric sentbleu chrf --resamples 200 --format json --out trusted",
        ),
        _one("russian-trust-compared", f"{trust} sentbleu sentchrf --compare pearson"),
        _one("russian-meaning", f"delta {RUSSIAN} {ratings} --metric chrf --difference 1.2"),
        _one("russian-segments", f"segments {RUSSIAN} --pair Facebook-AI Online-W --resamples 500 --format json"),
        _one("german-raters", "raters --data shared/mtme/wmt21.news --resamples 200 --format json"),
        _one("sets-compare", f"compare {SEVERAL} --metric bleu chrf --resamples 2000 -o study.json --format json"),
        _one("sets-table", f"compare {SEVERAL} --weights segments", f"score {SEVERAL} --resamples 200"),
        _one(
            "sets-report",
            f"compare {SEVERAL} --resamples 2000 -o study.json",
            "report study.json --to html latex pdf svg png pgf markdown csv xlsx json --out out",
        ),
        _one("ted-compare", f"compare {TED} --resamples 200 --format json", f"compare {TED} --unit document"),
        _one("runs-multeval", f"runs {RUNS} --resamples 500 --format json"),
        _one("read-mtme", "read shared/mtme/wmt21.news --format json", "read shared/wmt20-en-de-scores"),
        _one("read-xml", "read shared/wmt-xml/newstest2021.ru-en.all.xml --format json", "read shared/wmt25-ja-zh"),
        _one("read-sgm", "read shared/sgm/wmt21-ted-zh-en --format json"),
        _one("compare-scores-only", "compare --ratings shared/wmt20-en-de-scores/human/mqm.seg.tsv --resamples 200"),
    ]


def _wrong() -> list[Run]:
    return [
        _one("wrong-verbs", "", "nosuchverb", "score --nosuch", "experiment nosuch"),
        _one(
            "wrong-paths", "score --data nosuch", "compare --data made/empty", "report nosuch.json", "plan nosuch.toml"
        ),
        _one("wrong-lines", "score --data made/unequal", "check --data made/unequal"),
        _one("wrong-files", "score --data made/binary.bin", "read --data made/logs.json --format json"),
        _one("wrong-studies", "report made/broken.json", "report made/other.json"),
        _one("wrong-plans", "plan made/broken.toml"),
        _one(
            "wrong-plan-and-options",
            f"compare {SAMPLE} --plan made/plan.toml --resamples 200",
            "plan made/plan.toml --correct-jointly",
        ),
        _one("wrong-metrics", f"score {SAMPLE} --metric nosuch", f"score {SAMPLE} --metric bleu:nosuch=1"),
        _one("wrong-metric-values", f"score {SAMPLE} --metric bleu:tokenize=x", f"score {SAMPLE} --metric bleu bleu"),
        _one("wrong-choices", f"compare {SAMPLE} --test nosuch", f"compare {SAMPLE} --resamples many"),
        _one("wrong-bounds", f"compare {SAMPLE} --level 2", f"compare {SAMPLE} --resamples 0 --interval percentile"),
        _one("wrong-systems", f"compare {SAMPLE} --systems nosuch", f"compare {SAMPLE} --pair direct nosuch"),
        _one(
            "wrong-slices",
            f"compare {SAMPLE} --by domain",
            f"{_by('length')} -o study.json",
            f"score {SAMPLE} --subset nosuch=1",
        ),
        _one("wrong-pairs", f"audit {SAMPLE}", f"compare {SAMPLE} --baseline direct --pair direct direct"),
        _one("wrong-runs", f"runs {SAMPLE}"),
        _one("wrong-ratings", f"score {SAMPLE} --ratings made/ratings.tsv", f"score {SAMPLE} --ratings nosuch.tsv"),
        _one("wrong-experiments", f"experiment references {SAMPLE}", f"experiment tests {SAMPLE} --to pdf"),
        _one("wrong-workers", f"experiment tests {SAMPLE} --workers 0", "experiment variation --simulated x"),
        _one("wrong-formats", "report made/broken.json --to nosuch", f"score {SAMPLE} --format x"),
        _one("wrong-downloads", "fetch nosuch"),
        _one("wrong-parsers", f"parse {SAMPLE} --model nosuch", "cache nosuch"),
    ]
