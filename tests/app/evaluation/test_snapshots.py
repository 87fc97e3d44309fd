"""The measurement of snapshots, with few notes: it measures what it says."""

from app.evaluation import snapshots


def test_both_sides_are_measured(monkeypatch):
    """Snapshots are timed alone and among others, whose waits are counted with and without."""
    monkeypatch.setattr(snapshots, "NOTES", 20)
    monkeypatch.setattr(snapshots, "SNAPSHOTS", 2)
    lines = list(snapshots.snapshots())
    cells = [line.strip("| ").split(" | ") for line in lines if line and "---" not in line]

    assert lines[0].startswith("| 2 snapshots of 20 notes")
    assert len(cells) == 8
    assert all(int(times) >= 1 and float(longest) >= 0 for _, times, _, longest in cells[4:])
