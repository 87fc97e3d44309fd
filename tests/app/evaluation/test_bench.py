import os
import sys
from pathlib import Path

import pytest

from app.adk.bench_model import REPLY, BareAgent, InstantModel
from app.evaluation.bench import bench
from app.evaluation.server import resident, served
from app.evaluation.table import table
from app.port import PortUnavailable
from memory_tiers import InvalidInput, Memory

ANSWERS = (
    "import os, http.server as s;"
    "s.HTTPServer(('127.0.0.1', int(os.environ['PORT'])), s.SimpleHTTPRequestHandler)"
    ".serve_forever()"
)


def test_an_unknown_measurement_is_refused_before_any_is_made():
    """A misspelt name measures nothing and names what there is."""
    with pytest.raises(InvalidInput, match="start, turn, embedding"):
        bench(["start", "trun"])


def test_rows_become_a_markdown_table():
    """The first column is text, the others stand to the right."""
    assert list(table(("what", "ms"), ("a", 1.5))) == ["| what | ms |", "|---|---:|", "| a | 1.5 |"]


def test_a_page_is_measured_from_its_start_and_ended():
    """A page that answers has a time, a process and memory; afterwards the process is gone."""
    with served(["-c", ANSWERS]) as page:
        assert page.seconds > 0
        assert page.resident() > 1

    assert not Path(f"/proc/{page.process}").exists()


def test_a_page_that_never_answers_is_given_up():
    """A program that ends without serving anything is one sentence, not a long wait."""
    with pytest.raises(PortUnavailable), served(["-c", "pass"]):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells in /proc")
def test_resident_memory_is_in_megabytes():
    """This process takes between ten megabytes and ten gigabytes."""
    assert 10 < resident(os.getpid()) < 10_000


@pytest.mark.parametrize("searches", [False, True])
async def test_bare_adk_runs_the_same_turn(tmp_path, searches):
    """The floor does the whole work of a turn: the tools run, and the reply is kept once."""
    with Memory.open(tmp_path, embedder="hash") as memory:
        agent = BareAgent(memory, InstantModel(searches=searches), tmp_path)
        say = await agent.talk("u1")
        events = [event async for event in say("I rode my bicycle.")]
        await agent.close()
        kept = memory.for_user("u1").recall.search("listening").hits

    results = [call.name for event in events for call in event.get_function_responses()]
    assert results == ["recall_search"] * searches + ["send_message"]
    assert [hit.text for hit in kept] == ["".join(REPLY)]
