"""Reference overlap: systems with so much text of a reference that one was made from the other."""

from collections.abc import Iterator

from mtsig.doctor.finding import Finding
from mtsig.doctor.view import View


def check(view: View) -> Iterator[Finding]:
    """Yield every system that is kin to a reference."""
    for kin in view.kin:
        free = {*view.corpus.references} - {each.reference for each in view.kin if each.system == kin.system}
        elsewhere = "without that reference" if free else "by a reference that was made without it"
        advice = (
            "Was the reference made by editing this output, or did the system learn from it? Judge the system "
            f"{elsewhere}, too: here it has points that no other can have."
        )
        yield Finding("kinship", "warning", "likely", kin.where, kin.sentence, advice)
