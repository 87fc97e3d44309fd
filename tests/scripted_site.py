"""The real page over a scripted model that plays the four scenes; started as a process."""

import sys

from app.config import load_settings
from app.gradio_app import serve
from tests.fakes import ScriptedModel, call, say

LISBON = "Name: Dana\nLives in Lisbon\nWorks as a nurse\nFavourite drink: green tea"
MOVE = call("core_memory_replace", block="human", old="Lives in Lisbon", new="Lives in Porto")
NOTE = (
    "Interview at the Santa Maria hospital for night shift lead. Doctor Almeida asked how to "
    "handle a ward with two people missing, and about the new triage software."
)
SCRIPT = [
    [call("core_memory_append", block="human", text=LISBON), say("Good to meet you, Dana!")],
    MOVE,
    say("Then I keep Lisbon."),
    MOVE,
    say("Porto it is."),
    [call("archival_insert", text=NOTE, tags=["interview"]), say("I kept your debrief.")],
    call("archival_search", query="Almeida interview questions"),
    say("About a ward with two people missing, and the new triage software."),
]

if __name__ == "__main__":
    port, folder = sys.argv[1:]
    settings = load_settings(None, {"server.port": int(port), "storage.data_dir": folder}, {})
    serve(settings, ScriptedModel(SCRIPT, delay=0.01))
