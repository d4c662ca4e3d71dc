"""The first minute: what stands on the page before data, after a drop, after a reload and behind a link."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
import streamlit
from forms import zipped
from kept import parts, worded
from made import DASHBOARD, edited_reference
from mtsig_dashboard import compute, session
from mtsig_dashboard.parts import stages
from pages import address, app, at_page, dropping, league, lines, made_files, texts, uploaded, with_sample
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from mtsig import Corpus, MtsigError, read_sample
from mtsig.doctor import Checkup
from mtsig.readers import File
from mtsig.readers._read import parts_of


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))


def home(at: AppTest) -> str:
    """Return the title of the page that a reload of the bare address opens with the data of `at`."""
    again = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=300)
    for name in at.query_params:
        again.query_params[name] = at.query_params[name]
    return again.run().title[0].value


def rows(at: AppTest) -> dict[str, dict[str, str]]:
    """Return what the table of files says: file -> column -> cell."""
    frame = next(one.value for one in at.dataframe if "File" in one.value.columns)
    return {row["File"]: row for row in frame.to_dict("records")}


def buttons(at: AppTest) -> list[str]:
    return [button.label for button in at.button]


def test_without_data_nothing_is_to_be_set_and_with_data_there_is():
    assert "Metrics" not in [one.label for one in app().main.get("button_group")]
    assert "Metrics" in [one.label for one in with_sample().main.get("button_group")]


def test_the_answer_beside_the_drop_zone_is_what_the_program_finds():
    answer = json.loads(stages.ANSWER.read_text(encoding="utf-8"))
    assert answer == stages.computed_answer()
    assert sorted(system["name"] for system in answer["systems"]) == sorted(read_sample().systems)
    shown = stages.sample_answer()
    worded(parts(shown, "Results for"))
    assert f"<h2>{answer['title']}</h2>" in shown
    (at,) = [one.proto.body for one in app().get("html") if "class=answer" in one.proto.body]
    assert at == shown


def test_names_in_the_answer_are_no_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    answer = json.loads(stages.ANSWER.read_text(encoding="utf-8"))
    answer["systems"][0]["name"] = "<img src=x>"
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    monkeypatch.setattr(stages, "ANSWER", tmp_path / "answer.json")
    assert "<img" not in stages.sample_answer()


def test_a_dropped_file_that_is_not_used_is_told_of_at_the_top():
    strange = {"x.pdf": b"%PDF-1.4\n\xff\xfe\x00", "pic.png": b"\x89PNG\r\n", "notes.txt": b"hello\n"}
    at = uploaded(made_files(2, 8) | strange)
    assert at.title[0].value.startswith("Ready to compare 2 systems")
    for name in strange:
        (told,) = [one.value for one in at.markdown if f"{name} was not used: " in one.value.replace("\\", "")]
        assert told.replace("\\", "").count(name) == 1, told
    assert not any("was not used" in one.value for one in uploaded(made_files(2, 8)).markdown)
    many = uploaded(made_files(2, 8) | {f"{at}.pdf": b"%PDF-1.4\n\xff" for at in range(9)})
    (told,) = [one.value for one in many.markdown if "not used" in one.value]
    assert all(word in told for word in ("9 files", "6 more"))


def test_ratings_of_two_raters_in_one_file_are_one_file():
    rows = (f"{at},sys{at % 2},{rater},{at % 5}" for at in range(40) for rater in ("anna", "bob"))
    at = uploaded(made_files() | {"effort.csv": lines(["segment,system,rater,effort", *rows])})
    assert [one.label for one in at.expander if "(4 files)" in one.label]
    assert not [label for label in buttons(at) if "2 files" in label]
    assert "Continue without effort\\.csv" in buttons(at)


def test_home_is_results_with_data_and_compare_with_exactly_two_systems():
    worded(home(app()))
    worded(home(with_sample()), "5 systems", "BLEU")
    worded(home(dropping(made_files(2))))
    assert "of 3 systems" in home(dropping(made_files(3)))


def test_a_removed_chip_removes_its_file_and_the_last_one_everything():
    files = made_files(3)
    at = dropping(files)
    worded(parts(texts(at), "1 reference"), "3 systems")
    del files["sys1.txt"]
    chips = at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in files.items()])
    at = chips.run()
    worded(parts(texts(at), "1 reference"), "2 systems")
    assert "sys1.txt" not in rows(at)
    token = at.query_params["data"]
    worded(parts(texts(app(data=token[0] if isinstance(token, list) else token)), "1 reference"), "2 systems")
    at = at.get("file_uploader")[0].set_value([]).run()
    assert "Open the sample" in buttons(at)
    assert "data" not in at.query_params


@pytest.mark.parametrize("ended_in", ["_assemble", "labelled"])
def test_a_chip_that_is_removed_while_a_click_ends_the_run_is_removed_in_the_next(
    ended_in: str, monkeypatch: pytest.MonkeyPatch
):
    files = made_files(3)
    at = dropping(files)
    del files["sys1.txt"]
    work, ended = getattr(session.Session, ended_in), list[str]()

    def once_ended(*given: Any, **named: Any) -> Any:
        if not ended:
            ended.append(ended_in)
            # As whatever is asked of Streamlit does when a click waits, which says what all widgets hold.
            context = get_script_run_ctx()
            assert context is not None
            widgets = WidgetStates(widgets=context.session_state.get_widget_states())
            raise RerunException(RerunData(widget_states=widgets))
        return work(*given, **named)

    monkeypatch.setattr(session.Session, ended_in, once_ended)
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in files.items()]).run()
    at = at.run()
    assert ended
    assert "sys1.txt" not in rows(at)
    worded(parts(texts(at), "1 reference"), "2 systems")


def test_streamlit_lets_go_of_the_files_that_a_disk_keeps(monkeypatch: pytest.MonkeyPatch):
    manager = MemoryUploadedFileManager("/upload")
    context = SimpleNamespace(uploaded_file_mgr=manager, session_id="visitor")
    monkeypatch.setattr(session, "get_script_run_ctx", lambda: context)
    files = made_files(3)
    for name, content in files.items():
        manager.add_file("visitor", UploadedFileRec(f"id of {name}", name, "text/plain", content))

    def chips() -> list[UploadedFile]:
        records = manager.get_files("visitor", [f"id of {name}" for name in files])
        return [UploadedFile(record, FileURLs()) for record in records]

    visit = session.Session()
    read = visit.files_of(chips())
    assert {file.label: file.content for file in read} == files
    # Without a disk there is nothing else to take them from once they were put aside.
    visit.empty(chips())
    assert visit.files_of(chips()) == read
    visit.drop(read, parts_of(read))
    visit.empty(chips())
    assert [chip.size for chip in chips()] == [0] * len(files)
    assert [chip.name for chip in chips()] == list(files)
    assert visit.files_of(chips()) == read
    # Another file beside them, and one that is empty from the beginning.
    files["none.txt"] = b""
    manager.add_file("visitor", UploadedFileRec("id of none.txt", "none.txt", "text/plain", b""))
    assert visit.files_of(chips()) == [*read, File("none.txt", b"")]
    assert not any(map(visit.has_lost, chips()))
    # What a disk has lost, too, is not taken for a file without a line.
    visit.leave()
    assert [chip.name for chip in chips() if visit.has_lost(chip)] == list(files)[:-1]
    assert visit.files_of(chips()) == [File("none.txt", b"")]


def test_files_put_aside_come_back_under_their_chips():
    files = made_files(3)
    at = dropping(files)
    visit = at.session_state["session"]
    visit.put_aside()
    at = at.run()
    worded(parts(texts(at), "1 reference"), "3 systems")
    assert visit.view.emptied.keys() == visit.data.upload.keys()
    assert {label: file.content for label, file in visit.data.dropped.items()} == files
    visit.leave()
    said = texts(at.run())
    assert "No longer kept" in said
    assert ", ".join(files) + ". Drop them again." in said.replace("\\", "")


def test_chips_that_a_change_of_page_took_away_remove_nothing():
    at = uploaded(made_files(3), "lab")
    at = at_page(at, "data")
    worded(parts(texts(at), "1 reference"), "3 systems")
    more = ("docids.txt", lines(f"d{i // 2}" for i in range(40)), "text/plain")
    at = at.get("file_uploader")[0].set_value([more]).run()
    worded(parts(texts(at), "1 reference"), "3 systems", "40 segments", "20 documents")


def test_of_an_archive_all_files_go_with_its_chip():
    packed = zipped({"systems/B.txt": b"x\n" * 40, "README.md": b"read me\n"})
    files = made_files(2)
    at = dropping({**files, **packed})
    (name,) = packed
    assert f"{name}/systems/B.txt" in rows(at)
    at = at.get("file_uploader")[0].set_value([(one, data, "text/plain") for one, data in files.items()]).run()
    assert set(rows(at)) == set(files)


def test_a_file_left_out_says_why_and_an_empty_cell_is_empty():
    files = {f"systems/{name}": data for name, data in made_files(2).items() if name != "ref.txt"}
    files |= {"refs/ref.txt": made_files()["ref.txt"], "README.md": b"x\n", "old.pdf": b"%PDF"}
    files |= {"scores.json": b'[{"name": "BLEU", "score": 3.1, "signature": "x"}]'}
    at = dropping(zipped(files))
    found = rows(at)
    worded(found["README.md"]["Problem"])
    worded(found["old.pdf"]["Problem"], "PDF")
    worded(found["scores.json"]["Problem"])
    assert {found["README.md"]["Segments"], found["systems/sys0.txt"]["Problem"]} == {""}
    assert found["systems/sys0.txt"]["Segments"] == "40"


def test_a_column_left_out_by_the_visitor_is_left_out_by_its_role():
    rows_of = ["source\treference\tsys0\tsys1", *(f"s{i}\tr{i}\ta{i}\tb{i}" for i in range(20))]
    at = dropping({"texts.tsv": lines(rows_of)})
    visit = at.session_state["session"]
    visit.load_parts([part.with_role("ignored") if part.name == "sys1" else part for part in visit.data.parts])
    (told,) = [row["Problem"] for row in rows(at.run()).values() if row["Name"] == "sys1"]
    worded(told)


def test_a_file_beside_the_test_sets_of_an_archive_says_why_it_is_left_out():
    files = {f"{pair}/{name}": data for pair in ("en-de", "en-ja") for name, data in made_files(3).items()}
    at = dropping(zipped(files | {"README.md": b"read me\n"}))
    worded(rows(at)["README.md"]["Problem"])


def test_the_table_of_files_does_not_wait_for_the_check_of_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    edit, examined = streamlit.data_editor, compute.examined

    def editor(*given: Any, **options: Any) -> Any:
        drawn.append("files")
        return edit(*given, **options)

    def check(corpus: Corpus) -> Checkup:
        drawn.append("check")
        return examined(corpus)

    monkeypatch.setattr(streamlit, "data_editor", editor)
    monkeypatch.setattr(compute, "examined", check)
    with_sample()
    assert drawn.index("files") < drawn.index("check")


def test_a_file_that_takes_the_place_of_another_is_told_of_also_where_that_has_no_chip():
    files = made_files(3)
    again = app(data=address(dropping(files))["data"])
    assert "dropped again" not in texts(drop(again, {"sys1.txt": files["sys1.txt"]}))
    at = drop(again, {"sys1.txt": files["sys2.txt"]})
    worded(parts(texts(at), "sys1.txt: this replaces"))


def test_files_left_out_come_last_and_edits_by_place_end_with_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[list[str], str]] = []

    def edited(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
        if "File" not in frame:
            return frame
        shown.append((list(frame["File"]), options["key"]))
        # The visitor leaves out the first system.
        return frame.assign(Role=frame["Role"].mask(frame["File"] == "sys0.txt", "ignored"))

    monkeypatch.setattr(streamlit, "data_editor", edited)
    at = dropping(made_files(3) | {"a.pdf": b"%PDF"})
    assert not at.exception
    at.run()
    (first, key), (second, other), (third, same) = shown[-3:]
    assert (first[-1], second[-2:]) == ("a.pdf", ["sys0.txt", "a.pdf"])
    assert key != other
    assert (third, same) == (second, other)


def test_what_has_ratings_alone_is_no_system_where_there_are_texts():
    rated = [f"{system}\t{segment}\t{segment % 7}" for system in ("sys0", "refA", "refB") for segment in range(1, 41)]
    at = dropping(made_files(2) | {"mqm.tsv": lines(["system\tseg_id\tmqm", *rated])})
    said = "1 reference · 2 systems with text · 2 names with ratings only · 40 segments · no document ids · mqm for 3"
    assert said in texts(at)


def test_data_count_the_systems_that_results_compare():
    files = made_files(3)
    reference = files.pop("ref.txt")
    packed = {f"systems/{name}": data for name, data in files.items()}
    packed |= {"systems/HUMAN.txt": reference, "systems/copy.txt": reference, "refs/ref.txt": reference}
    at = dropping(zipped(packed))
    worded(parts(texts(at), "1 reference"), "4 systems", "1 human", "2")
    rows_of_results = list(league(at_page(at, "results")))
    assert len(rows_of_results) == 5
    assert sum("not ranked" in row for row in rows_of_results) == 2


def test_with_warnings_the_first_stands_beside_the_way_on():
    files = made_files(2)
    at = dropping(files | {"copy.txt": files["sys0.txt"]})
    assert "See the results" in buttons(at)
    worded(at.title[0].value, "3 systems", "2 warnings")
    worded(parts("".join(one.proto.body for one in at.get("html")), "sys0 and copy"))
    assert not at.success
    assert not at.warning


def test_segments_that_a_warning_is_on_are_read_before_the_results():
    files = made_files(3)
    ours = files["sys2.txt"].splitlines()
    at = dropping(files | {"sys2.txt": lines(line.decode() for line in (*[b""] * 12, *ours[12:]))})
    looks = {one.label: one.proto.type for one in at.button if one.label.startswith(("Read the", "See the"))}
    assert looks == {"Read the segments in question": "primary", "See the results": "secondary"}
    next(one for one in at.button if one.label in looks).click().run()
    assert not at.exception, at.exception
    assert address(at)["look_for"].startswith("#1 #2 #3")


def test_a_warning_says_how_serious_it_is_and_a_system_can_be_left_out_for_it():
    corpus = edited_reference()
    files = {f"{name}.txt": lines(list(one)) for name, one in corpus.outputs.items()}
    files |= {f"ref{name}.txt": lines([str(line) for line in one]) for name, one in corpus.references.items()}
    at = dropping(files)
    worded(parts(texts(at), "A warning (▲)"))
    assert len(corpus.outputs) == len(at.session_state["session"].data.corpus.systems)
    next(button for button in at.button if button.label == "Leave out kin").click().run()
    assert at.session_state["session"].data.corpus.systems.keys() == corpus.systems.keys() - {"kin"}
    worded(at.title[0].value, f"{len(corpus.systems) - 1} systems")
    worded(parts(texts(at), "The data checks"))


def test_a_file_of_another_length_is_marked_in_its_row():
    files = made_files(3)
    short = b"".join(files["sys1.txt"].splitlines(keepends=True)[:30])
    (roles,) = [one.value for one in dropping(files | {"sys1.txt": short}).dataframe if "Role" in one.value.columns]
    told = dict(zip(roles["File"], roles["Problem"], strict=True))
    worded(told.pop("sys1.txt"), "30 segments", "40")
    assert not any(told.values())
    (roles,) = [one.value for one in dropping(files).dataframe if "Role" in one.value.columns]
    assert not any(roles["Problem"])


def test_without_a_reference_every_page_says_one_plain_sentence():
    files = made_files()
    del files["ref.txt"]
    at = dropping(files)
    assert "See the results" not in buttons(at)
    for page in ("data", "results", "compare", "planning"):
        at = at_page(at, page)
        assert not at.error, page
        assert "--" not in texts(at)
        worded(parts(texts(at), "No metric can"))
    assert "Metrics" not in [one.label for one in at.main.get("button_group")]


def test_the_sample_survives_a_reload_and_own_files_do_not_pass_for_it():
    at = app()
    next(one for one in at.button if one.label == "Open the sample").click().run()
    assert at.query_params["data"] in ("sample", ["sample"])
    worded(parts(texts(with_sample()), "1 reference"), "5 systems")


@pytest.mark.parametrize("page", ["results", "data", "learn"])
def test_a_link_made_of_other_data_says_so_below_the_title_and_before_any_picture(page):
    at = with_sample(page, of="0123456789ab")
    said = [getattr(one, "value", "") for one in at.main]
    (told,) = [number for number, one in enumerate(said) if "This link was made with other data" in str(one)]
    kinds = [one.type for one in at.main]
    assert kinds.index("title") < told
    assert told < min(
        (kinds.index(kind) for kind in ("plotly_chart", "arrow_data_frame") if kind in kinds), default=999
    )
    next(one for one in at.button if one.label == "Continue with these data").click().run()
    assert "with other data" not in texts(at)
    assert at.query_params["of"] != "0123456789ab"
    same = at.query_params["of"]
    assert "with other data" not in texts(with_sample(of=same[0] if isinstance(same, list) else same))
    worded(parts(texts(app(of="0123456789ab")), "Drop the files"))


def test_slices_runs_and_test_set_survive_a_reload():
    at = dropping(made_files(2) | {"domains.txt": b"news\n" * 25 + b"talks\n" * 15})
    next(one for one in at.multiselect if one.label == "Domain").select("news").run()
    session = at.session_state["session"]
    session.selection.run_of = {"sys0": "both", "sys1": "both"}
    session.choose_set("de-en")
    token = at.query_params["data"]
    again = app(data=token[0] if isinstance(token, list) else token).session_state["session"]
    assert again.selection.slices == {"domain": ("news",)}
    assert again.selection.run_of == {"sys0": "both", "sys1": "both"}
    assert again.data.wanted_set == "de-en"


def test_a_copied_link_leaves_the_data_out_unless_it_is_to_open_them():
    at = uploaded(made_files(2), "results")
    token = address(at)["data"]
    (link,) = at.main.get("code")
    assert token not in link.value
    assert f"of={address(at)['of']}" in link.value
    next(one for one in at.checkbox if one.label == "The link also opens these data").check().run()
    assert f"data={token}" in at.main.get("code")[0].value
    assert "data=sample" in with_sample("results").main.get("code")[0].value


def drop(at, files: dict[str, bytes]):
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in files.items()]).run()
    return at


def test_a_second_drop_adds_and_keeps_what_was_renamed():
    files = made_files()
    at = dropping(files)
    given = at.session_state["session"].data.parts
    at.session_state["session"].data.parts = [
        type(part)(part.label, part.role, "renamed" if part.name == "sys0" else part.name, part.lines, file=part.file)
        for part in given
    ]
    at_page(at, "results")
    at_page(at, "data")
    docids = {"docids.txt": lines(f"d{i // 2}" for i in range(40))}
    drop(at, docids)
    worded(parts(texts(at), "1 reference"), "2 systems", "40 segments", "20 documents")
    assert "renamed" in [part.name for part in at.session_state["session"].data.parts]


def test_own_files_replace_the_sample():
    at = drop(with_sample(), made_files())
    worded(parts(texts(at), "1 reference"), "2 systems", "40 segments")


def test_the_data_of_the_command_line_have_their_table(monkeypatch):
    monkeypatch.setenv("MTSIG_INPUT", '["--data", "sample_data/es-en"]')
    at = app()
    worded(parts(texts(at), "1 reference"), "5 systems")
    assert len(at.session_state["session"].data.parts) == 12


def test_two_files_of_one_name_that_come_together_are_both_kept():
    files = made_files()
    dropped = [*files.items(), ("sys0.txt", files["sys1.txt"].replace(b"w1", b"w2"))]
    at = app()
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in dropped]).run()
    worded(parts(texts(at), "are numbered:", "1 reference"), "2).txt", "3 systems")
    assert rows(at)["sys0 (2).txt"]["Name"] == "sys0 (2)"
    visit = at.session_state["session"]
    assert [visit.data.dropped[label].content for label in ("sys0.txt", "sys0 (2).txt")] == [
        files["sys0.txt"],
        dropped[-1][1],
    ]
    assert "told apart" not in texts(dropping(files))


def test_two_folders_of_one_layout_give_two_systems_and_the_rest_once():
    """Dropped at once: the output of each system beside the same reference, source and documents."""
    files = made_files()
    beside = {
        "ref.txt": files["ref.txt"],
        "src.txt": files["ref.txt"],
        "docids.txt": lines(f"d{i // 2}" for i in range(40)),
    }
    dropped = [("hyp.txt", files["sys0.txt"]), *beside.items(), ("hyp.txt", files["sys1.txt"]), *beside.items()]
    at = app()
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in dropped]).run()
    worded(parts(texts(at), "1 reference"), "2 systems", "40 segments", "20 documents")
    assert {row["Name"] for row in rows(at).values() if row["Role"] == "system"} == {"hyp", "hyp (2)"}


def test_the_later_of_two_chips_of_one_file_is_the_file_s(monkeypatch: pytest.MonkeyPatch):
    files = made_files()
    visit = dropping(files).session_state["session"]
    manager = MemoryUploadedFileManager("/upload")
    of = dict(visit.data.upload)
    for file_id, label in of.items():
        manager.add_file("visitor", UploadedFileRec(file_id, label, "text/plain", files[label]))

    def chips(*ids: str) -> list[UploadedFile]:
        return [UploadedFile(record, FileURLs()) for record in manager.get_files("visitor", list(ids))]

    def shown(*ids: str) -> list[str]:
        monkeypatch.setattr(session.st, "session_state", {"drop": chips(*ids)})
        visit.chips_changed("drop")
        visit.take_back()
        visit.data.upload = visit.labelled(chips(*ids))
        return list(visit.data.dropped)

    manager.add_file("visitor", UploadedFileRec("later", "sys0.txt", "text/plain", files["sys1.txt"]))
    assert visit.data.are_new(visit.labelled(chips(*of, "later")))
    (earlier,) = [file_id for file_id, label in of.items() if label == "sys0.txt"]
    assert "sys0.txt" in shown(*(file_id for file_id in of if file_id != earlier), "later")
    assert "sys0.txt" not in shown(*(file_id for file_id in of if file_id != earlier))


def test_a_chip_whose_file_the_server_gave_up_takes_nothing_away(monkeypatch: pytest.MonkeyPatch):
    visit = dropping(made_files()).session_state["session"]
    kept = list(visit.data.dropped)
    # Of what this page had read, and of what was sent and never read, or said to be sent.
    chips = [DeletedFile(file_id) for file_id in [*visit.data.upload, "never read"]]
    monkeypatch.setattr(session.st, "session_state", {"drop": chips})
    visit.chips_changed("drop")
    visit.take_back()
    assert list(visit.data.dropped) == kept


def test_a_number_is_none_that_another_file_has():
    files = made_files()
    at = dropping({"hyp (2).txt": files["sys0.txt"], "ref.txt": files["ref.txt"]})
    visit = at.session_state["session"]
    manager = MemoryUploadedFileManager("/upload")
    for number, content in enumerate((files["sys0.txt"], files["sys1.txt"])):
        manager.add_file("visitor", UploadedFileRec(f"new {number}", "hyp.txt", "text/plain", content))
    uploads = [UploadedFile(record, FileURLs()) for record in manager.get_files("visitor", ["new 0", "new 1"])]
    assert list(visit.labelled(uploads).values()) == ["hyp.txt", "hyp (3).txt"]


def test_a_file_of_a_name_that_is_there_replaces_it_and_that_is_told():
    files = made_files()
    at = dropping(files)
    changed = files["sys0.txt"].replace(b"w1", b"w2")
    kept, left = zip(*at.session_state["session"].data.upload.items(), strict=True)
    manager = MemoryUploadedFileManager("/upload")
    for number, (label, content) in enumerate([*files.items(), ("sys0.txt", changed)]):
        place = left.index(label) if number < len(files) else None
        of = "later" if place is None else kept[place]
        manager.add_file("visitor", UploadedFileRec(of, label, "text/plain", content))
    uploads = [UploadedFile(record, FileURLs()) for record in manager.get_files("visitor", [*kept, "later"])]
    visit = at.session_state["session"]
    assert list(visit.labelled(uploads).values()) == [*left, "sys0.txt"]
    assert [file.content for file in visit.files_of(uploads) if file.label == "sys0.txt"][-1] == changed


def test_files_whose_chips_are_gone_are_removed_by_name():
    files = made_files(3)
    at = dropping(files)
    assert not [one for one in at.multiselect if one.label == "Remove files"]
    token = at.query_params["data"]
    again = at_page(app(data=token[0] if isinstance(token, list) else token), "data")
    (box,) = [one for one in again.multiselect if one.label == "Remove files"]
    assert sorted(box.options) == sorted(files)
    again = box.select("sys1.txt").run()
    again = next(one for one in again.button if one.label == "Remove").click().run()
    worded(parts(texts(again), "1 reference"), "2 systems")
    assert "sys1.txt" not in rows(again)
    # Nor does a reload bring it back; without the last one all is forgotten.
    last = at_page(app(data=address(again)["data"]), "data")
    worded(parts(texts(last), "1 reference"), "2 systems")
    (box,) = [one for one in last.multiselect if one.label == "Remove files"]
    last = box.set_value(list(box.options)).run()
    last = next(one for one in last.button if one.label == "Remove").click().run()
    assert "Open the sample" in buttons(last)


def stopped_once(work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a click end the run that waits for this work, as Streamlit does when the next run has begun."""
    done = getattr(compute, work)

    def stops(*given: Any) -> Any:
        monkeypatch.setattr(compute, work, done)
        raise StopException

    monkeypatch.setattr(compute, work, stops)


@pytest.mark.parametrize("work", ["parts", "corpora"])
def test_files_are_read_by_the_next_run_where_a_click_ends_the_one_that_reads_them(
    work: str, monkeypatch: pytest.MonkeyPatch
):
    files, at = made_files(2), app()
    stopped_once(work, monkeypatch)
    # Two files of one name are told apart, and are two after a second try.
    given = [(name, data, "text/plain") for name, data in (*files.items(), ("sys0.txt", b"other\n" * 40))]
    at.get("file_uploader")[0].set_value(given).run()
    assert "Forget my data" not in buttons(at)
    worded(parts(texts(at.run()), "1 reference"), "3 systems", "40 segments")
    # What was there before stays while more is added.
    stopped_once(work, monkeypatch)
    at.get("file_uploader")[0].set_value([*given, ("sys2.txt", b"more\n" * 40, "text/plain")]).run()
    worded(parts(texts(at.run()), "1 reference"), "4 systems", "40 segments")


@pytest.mark.parametrize("work", ["parts", "corpora"])
def test_a_link_opens_its_data_though_a_click_ends_the_run_that_reads_them(work: str, monkeypatch: pytest.MonkeyPatch):
    token = address(dropping(made_files(2)))["data"]
    stopped_once(work, monkeypatch)
    at = app(None, data=token).run()
    assert not at.title
    worded(parts(texts(at_page(at, "data")), "1 reference"), "2 systems")
    # Nor is anything lost of data that were put aside to make room.
    at.session_state["session"].put_aside()
    stopped_once(work, monkeypatch)
    at.run()
    worded(parts(texts(at.run()), "1 reference"), "2 systems")


def test_data_of_a_link_that_cannot_be_read_are_tried_once(monkeypatch: pytest.MonkeyPatch):
    token = address(dropping(made_files(2)))["data"]

    def refuses(files: Any) -> None:
        raise MtsigError("too much for a worker")

    monkeypatch.setattr(compute, "parts", refuses)
    at = at_page(app(None, data=token), "results")
    worded(one.value for one in at.error)
    assert not at.run().error


def test_a_file_that_cannot_be_read_stands_first_in_the_table():
    at = dropping(made_files(12) | {"z.txt": b"a line\n\x00\n"})
    assert next(iter(rows(at))) == "z.txt"
    assert "zero byte" in rows(at)["z.txt"]["Problem"]
