"""Citations: what metrics, tests, intervals and corrections cite goes in; works, and their BibTeX, come out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mtsig.errors import InvalidOption, find

VERSION = "0.1.0"
"""The version of the program: part of every signature, and of its own citation."""


@dataclass(frozen=True)
class Work:
    """One work: who and when as a text cites it, and its BibTeX.

    authors as BibTeX has them ("Doe, Jane and Roe, Richard"); fields: what else its entry holds, in their order.
    """

    key: str
    kind: str
    authors: str
    title: str
    year: str
    fields: Mapping[str, str]

    @property
    def cited(self) -> str:
        """Return it as a text cites it, such as "Riezler and Maxwell, 2005"."""
        names = [_readable(author.split(",")[0]) for author in self.authors.split(" and ")]
        who = names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."
        return f"{who}, {self.year}" if self.year else who

    @property
    def bibtex(self) -> str:
        """Return the entry."""
        fields = {"author": self.authors, "title": self.title, **self.fields, "year": self.year}
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


Citations: TypeAlias = tuple[str | Work, ...]
"""What a method cites: keys of the bibliography below, or works that it lacks."""

_ACCENTS = {
    "{\\'c}": "ć",
    "{\\v{S}}": "Š",
    "{\\v{s}}": "š",
    "{\\'a}": "á",
    "{\\v{e}}": "ě",
    "{\\'e}": "é",
    "{\\ss}": "ß",
}


def _readable(text: str) -> str:
    """Return BibTeX's text with its accents as letters and without braces."""
    for code, sign in _ACCENTS.items():
        text = text.replace(code, sign)
    return text.strip("{}")


def _article(key: str, authors: str, title: str, journal: str, year: str, **fields: str) -> Work:
    return Work(key, "article", authors, title, year, {"journal": journal, **fields})


def _paper(key: str, authors: str, title: str, booktitle: str, year: str, **fields: str) -> Work:
    return Work(key, "inproceedings", authors, title, year, {"booktitle": booktitle, **fields})


def _book(key: str, authors: str, title: str, publisher: str, year: str) -> Work:
    return Work(key, "book", authors, title, year, {"publisher": publisher})


_WMT = "Proceedings of the {} Conference on Machine Translation"
_WORKSHOP = (
    "Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine Translation and/or "
    "Summarization"
)
_JASA = "Journal of the American Statistical Association"

REFERENCES: dict[str, Work] = {
    work.key: work
    for work in (
        _paper(
            "papineni-etal-2002-bleu", "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
            "{B}leu: a Method for Automatic Evaluation of Machine Translation",
            "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics", "2002",
            pages="311--318",
        ),
        _paper(
            "popovic-2015-chrf", "Popovi{\\'c}, Maja",
            "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
            "Proceedings of the Tenth Workshop on Statistical Machine Translation", "2015", pages="392--395",
        ),
        _paper(
            "popovic-2017-chrf", "Popovi{\\'c}, Maja", "chr{F}++: words helping character n-grams",
            _WMT.format("Second"), "2017", pages="612--618",
        ),
        _paper(
            "snover-etal-2006-study",
            "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
            "A Study of Translation Edit Rate with Targeted Human Annotation",
            "Proceedings of the 7th Conference of the Association for Machine Translation in the Americas: Technical "
            "Papers", "2006",
            pages="223--231",
        ),
        _paper(
            "doddington-2002-automatic", "Doddington, George",
            "Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics",
            "Proceedings of the Second International Conference on Human Language Technology Research", "2002",
            pages="138--145",
        ),
        _paper(
            "banerjee-lavie-2005-meteor", "Banerjee, Satanjeev and Lavie, Alon",
            "{METEOR}: An Automatic Metric for {MT} Evaluation with Improved Correlation with Human Judgments",
            _WORKSHOP, "2005", pages="65--72",
        ),
        _paper(
            "denkowski-lavie-2014-meteor", "Denkowski, Michael and Lavie, Alon",
            "Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
            "Proceedings of the Ninth Workshop on Statistical Machine Translation", "2014", pages="376--380",
        ),
        _paper(
            "lin-2004-rouge", "Lin, Chin-Yew", "{ROUGE}: A Package for Automatic Evaluation of Summaries",
            "Text Summarization Branches Out", "2004", pages="74--81",
        ),
        _paper(
            "turian-etal-2003-evaluation", "Turian, Joseph P. and Shen, Luke and Melamed, I. Dan",
            "Evaluation of machine translation and its evaluation",
            "Proceedings of Machine Translation Summit IX: Papers", "2003",
        ),
        _paper(
            "niessen-etal-2000-evaluation",
            "Nie{\\ss}en, Sonja and Och, Franz Josef and Leusch, Gregor and Ney, Hermann",
            "An Evaluation Tool for Machine Translation: Fast Evaluation for {MT} Research",
            "Proceedings of the Second International Conference on Language Resources and Evaluation", "2000",
        ),
        _paper(
            "tillmann-etal-1997-accelerated",
            "Tillmann, Christoph and Vogel, Stephan and Ney, Hermann and Zubiaga, Alex and Sawaf, Hassan",
            "Accelerated {DP} Based Search for Statistical Translation",
            "Fifth European Conference on Speech Communication and Technology", "1997", pages="2667--2670",
        ),
        _paper(
            "post-2018-call", "Post, Matt", "A Call for Clarity in Reporting {BLEU} Scores",
            f"{_WMT.format('Third')}: Research Papers", "2018", pages="186--191",
        ),
        _paper(
            "koehn-2004-statistical", "Koehn, Philipp",
            "Statistical Significance Tests for Machine Translation Evaluation",
            "Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing", "2004",
            pages="388--395",
        ),
        _paper(
            "riezler-maxwell-2005-pitfalls", "Riezler, Stefan and Maxwell, John T.",
            "On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
            _WORKSHOP, "2005", pages="57--64",
        ),
        _paper(
            "zhang-vogel-2004-measuring", "Zhang, Ying and Vogel, Stephan",
            "Measuring confidence intervals for the machine translation evaluation metrics",
            "Proceedings of the 10th Conference on Theoretical and Methodological Issues in Machine Translation of "
            "Natural Languages", "2004",
        ),
        _book(
            "noreen-1989-computer", "Noreen, Eric W.",
            "Computer-Intensive Methods for Testing Hypotheses: An Introduction", "Wiley", "1989",
        ),
        _book("efron-tibshirani-1993", "Efron, Bradley and Tibshirani, Robert J.",
              "An Introduction to the Bootstrap", "Chapman and Hall", "1993"),
        _book("efron-1982-jackknife", "Efron, Bradley",
              "The Jackknife, the Bootstrap and Other Resampling Plans", "SIAM", "1982"),
        _article("satterthwaite-1946", "Satterthwaite, Franklin E.",
                 "An Approximate Distribution of Estimates of Variance Components", "Biometrics Bulletin", "1946",
                 volume="2", number="6", pages="110--114"),
        _article("bell-mccaffrey-2002", "Bell, Robert M. and McCaffrey, Daniel F.",
                 "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples",
                 "Survey Methodology", "2002", volume="28", number="2", pages="169--181"),
        _article("efron-1987-better", "Efron, Bradley", "Better Bootstrap Confidence Intervals", _JASA, "1987",
                 volume="82", number="397", pages="171--185"),
        _article("student-1908", "{Student}", "The Probable Error of a Mean", "Biometrika", "1908",
                 volume="6", number="1", pages="1--25"),
        _article("wilcoxon-1945", "Wilcoxon, Frank", "Individual Comparisons by Ranking Methods",
                 "Biometrics Bulletin", "1945", volume="1", number="6", pages="80--83"),
        _article("pratt-1959", "Pratt, John W.",
                 "Remarks on Zeros and Ties in the {Wilcoxon} Signed Rank Procedures", _JASA, "1959",
                 volume="54", number="287", pages="655--667"),
        _article("dixon-mood-1946", "Dixon, W. J. and Mood, A. M.", "The Statistical Sign Test", _JASA, "1946",
                 volume="41", number="236", pages="557--566"),
        _article("tango-1998", "Tango, Toshiro",
                 "Equivalence Test and Confidence Interval for the Difference in Proportions for the Paired-Sample "
                 "Design", "Statistics in Medicine", "1998", volume="17", number="8", pages="891--908"),
        _article("wilson-1927", "Wilson, Edwin B.",
                 "Probable Inference, the Law of Succession, and Statistical Inference", _JASA, "1927",
                 volume="22", number="158", pages="209--212"),
        _book("westfall-young-1993", "Westfall, Peter H. and Young, S. Stanley",
              "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment", "Wiley", "1993"),
        _article("ge-etal-2003-resampling", "Ge, Youngchao and Dudoit, Sandrine and Speed, Terence P.",
                 "Resampling-based multiple testing for microarray data analysis", "Test", "2003",
                 volume="12", number="1", pages="1--77"),
        _article("holm-1979", "Holm, Sture", "A Simple Sequentially Rejective Multiple Test Procedure",
                 "Scandinavian Journal of Statistics", "1979", volume="6", number="2", pages="65--70"),
        _article("dunn-1961", "Dunn, Olive Jean", "Multiple Comparisons Among Means", _JASA, "1961",
                 volume="56", number="293", pages="52--64"),
        _article("sidak-1967", "{\\v{S}}id{\\'a}k, Zbyn{\\v{e}}k",
                 "Rectangular Confidence Regions for the Means of Multivariate Normal Distributions", _JASA, "1967",
                 volume="62", number="318", pages="626--633"),
        _article("hommel-1988", "Hommel, Gerhard",
                 "A stagewise rejective multiple test procedure based on a modified {Bonferroni} test", "Biometrika",
                 "1988", volume="75", number="2", pages="383--386"),
        _article("benjamini-hochberg-1995", "Benjamini, Yoav and Hochberg, Yosef",
                 "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
                 "Journal of the Royal Statistical Society, Series B", "1995",
                 volume="57", number="1", pages="289--300"),
        _article("benjamini-yekutieli-2001", "Benjamini, Yoav and Yekutieli, Daniel",
                 "The control of the false discovery rate in multiple testing under dependency",
                 "The Annals of Statistics", "2001", volume="29", number="4", pages="1165--1188"),
        _article("tukey-1949", "Tukey, John W.", "Comparing Individual Means in the Analysis of Variance",
                 "Biometrics", "1949", volume="5", number="2", pages="99--114"),
        _article("scheffe-1953", "Scheff{\\'e}, Henry",
                 "A Method for Judging all Contrasts in the Analysis of Variance", "Biometrika", "1953",
                 volume="40", number="1/2", pages="87--104"),
        Work("nemenyi-1963", "phdthesis", "Nemenyi, Peter Bj{\\\"o}rn",
                  "Distribution-free Multiple Comparisons", "1963", {"school": "Princeton University"}),
        _article("schuirmann-1987", "Schuirmann, Donald J.",
                 "A comparison of the Two One-Sided Tests Procedure and the Power Approach for assessing the "
                 "equivalence of average bioavailability", "Journal of Pharmacokinetics and Biopharmaceutics", "1987",
                 volume="15", number="6", pages="657--680"),
        _article("williams-1959", "Williams, Evan James", "The Comparison of Regression Variables",
                 "Journal of the Royal Statistical Society, Series B", "1959", volume="21", number="2",
                 pages="396--399"),
        _paper("graham-2014", "Graham, Yvette and Baldwin, Timothy",
               "Testing for Significance of Increased Correlation with Human Judgment",
               "Proceedings of the 2014 Conference on Empirical Methods in Natural Language Processing", "2014",
               pages="172--176"),
        _paper("mathur-2020", "Mathur, Nitika and Baldwin, Timothy and Cohn, Trevor",
               "Tangled up in {BLEU}: Reevaluating the Evaluation of Automatic Machine Translation Evaluation Metrics",
               "Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics", "2020",
               pages="4984--4997"),
        _paper("kocmi-2021",
               "Kocmi, Tom and Federmann, Christian and Grundkiewicz, Roman and Junczys-Dowmunt, Marcin and "
               "Matsushita, Hitokazu and Menezes, Arul",
               "To Ship or Not to Ship: An Extensive Evaluation of Automatic Metrics for Machine Translation",
               _WMT.format("Sixth"), "2021", pages="478--494"),
        _article("deutsch-2021", "Deutsch, Daniel and Dror, Rotem and Roth, Dan",
                 "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods",
                 "Transactions of the Association for Computational Linguistics", "2021", volume="9",
                 pages="1132--1146"),
        _paper("deutsch-2023", "Deutsch, Daniel and Foster, George and Freitag, Markus",
               "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration",
               "Proceedings of the 2023 Conference on Empirical Methods in Natural Language Processing", "2023",
               pages="12914--12929"),
        _paper("thompson-2024",
               "Thompson, Brian and Mathur, Nitika and Deutsch, Daniel and Khayrallah, Huda",
               "Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy",
               _WMT.format("Ninth"), "2024", pages="1222--1234"),
        _article("berger-1982", "Berger, Roger L.", "Multiparameter Hypothesis Testing and Acceptance Sampling",
                 "Technometrics", "1982", volume="24", number="4", pages="295--300"),
        _article("welch-1951", "Welch, B. L.",
                 "On the Comparison of Several Mean Values: An Alternative Approach", "Biometrika", "1951",
                 volume="38", number="3/4", pages="330--336"),
        _article("hotelling-1931", "Hotelling, Harold", "The Generalization of {Student}'s Ratio",
                 "The Annals of Mathematical Statistics", "1931", volume="2", number="3", pages="360--378"),
        _article("benjamini-heller-2008", "Benjamini, Yoav and Heller, Ruth",
                 "Screening for Partial Conjunction Hypotheses", "Biometrics", "2008", volume="64", number="4",
                 pages="1215--1222"),
        _article("dror-2017", "Dror, Rotem and Baumer, Gili and Bogomolov, Marina and Reichart, Roi",
                 "Replicability Analysis for Natural Language Processing: Testing Significance with Multiple Datasets",
                 "Transactions of the Association for Computational Linguistics", "2017", volume="5",
                 pages="471--486"),
        _article("paule-mandel-1982", "Paule, Robert C. and Mandel, John", "Consensus Values and Weighting Factors",
                 "Journal of Research of the National Bureau of Standards", "1982", volume="87", number="5",
                 pages="377--385"),
        _article("hartung-knapp-2001", "Hartung, Joachim and Knapp, Guido",
                 "A refined method for the meta-analysis of controlled clinical trials with binary outcome",
                 "Statistics in Medicine", "2001", volume="20", number="24", pages="3875--3889"),
        _article("higgins-2009", "Higgins, Julian P. T. and Thompson, Simon G. and Spiegelhalter, David J.",
                 "A re-evaluation of random-effects meta-analysis",
                 "Journal of the Royal Statistical Society, Series A", "2009", volume="172", number="1",
                 pages="137--159"),
        _article("friedman-1937", "Friedman, Milton",
                 "The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of Variance", _JASA,
                 "1937", volume="32", number="200", pages="675--701"),
        _article("demsar-2006", "Dem{\\v{s}}ar, Janez",
                 "Statistical Comparisons of Classifiers over Multiple Data Sets",
                 "Journal of Machine Learning Research", "2006", volume="7", pages="1--30"),
        Work("mtsig", "misc", "{mtsig}", "mtsig: is the difference between machine translation systems real?", "2026",
                  {"note": f"Version {VERSION}"}),
    )
}  # fmt: skip


def works(cites: Iterable[str | Work]) -> tuple[Work, ...]:
    """Return the works that are cited: those of the bibliography by their keys, and those that are given whole.

    Raises
    ------
    UnknownName
        The bibliography has no such key.
    """
    return tuple(find(REFERENCES, cited, "work in the bibliography") for cited in cites)


def bibliography(cited: Iterable[Work]) -> str:
    """Return the BibTeX of the works, each once.

    Raises
    ------
    InvalidOption
        Two different works have one key.
    """
    by_key: dict[str, Work] = {}
    for work in cited:
        if by_key.setdefault(work.key, work) != work:
            raise InvalidOption(f"Two works are cited as {work.key!r}; give one of them another key.")
    return "\n\n".join(work.bibtex for work in by_key.values()) + "\n"
