"""The papers that the experiments come from, written out."""

KOEHN = "Koehn (2004), Statistical Significance Tests for Machine Translation Evaluation"
ZHANG_VOGEL = "Zhang and Vogel (2004), Measuring Confidence Intervals for the Machine Translation Evaluation Metrics"
RIEZLER_MAXWELL = "Riezler and Maxwell (2005), On Some Pitfalls in Automatic Evaluation and Significance Testing for MT"
CALLISON_BURCH = (
    "Callison-Burch, Osborne and Koehn (2006), Re-evaluating the Role of BLEU in Machine Translation Research"
)
ARMITAGE = "Armitage, McPherson and Rowe (1969), Repeated Significance Tests on Accumulating Data"
