"""Dates as people and models write them."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memory_tiers import InvalidDate, InvalidInput
from memory_tiers.dates import Calendar, stamp, zone
from tests.fakes import Clock


@pytest.fixture
def berlin(clock: Clock) -> Calendar:
    """A calendar of Berlin, at 13:00 local time on Saturday, 14 March 2026."""
    return Calendar(clock, zone("Europe/Berlin"))


@pytest.mark.parametrize("value", ["2026-07-01", " 2026-07-01 ", "20260701", date(2026, 7, 1)])
def test_day_is_a_local_day(berlin: Calendar, value: str | date):
    """A day begins and ends at local midnight."""
    start, stop = berlin.bounds(value, value)

    assert start == datetime(2026, 6, 30, 22, tzinfo=UTC)
    assert stop == datetime(2026, 7, 1, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("today", "2026-03-14", "2026-03-14"),
        ("Yesterday", "2026-03-13", "2026-03-13"),
        ("this week", "2026-03-09", "2026-03-15"),
        ("last  week", "2026-03-02", "2026-03-08"),
        ("this month", "2026-03-01", "2026-03-31"),
        ("last month", "2026-02-01", "2026-02-28"),
    ],
)
def test_named_days_are_their_dates(berlin: Calendar, name: str, first: str, last: str):
    """A name stands for its first day as a start and for its last as an end."""
    assert berlin.bounds(name, name) == berlin.bounds(first, last)


def test_today_is_the_users_day(clock: Clock):
    """Around midnight the user's date counts, not the one in UTC."""
    clock.now = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)
    berlin = Calendar(clock, zone("Europe/Berlin"))

    assert berlin.bounds("today", None) == berlin.bounds("2026-03-15", None)


def test_day_the_clocks_change_has_its_own_length(berlin: Calendar):
    """The day of the change is 23 or 25 hours long."""
    lengths = []
    for day in ("2026-03-29", "2026-10-25"):
        start, stop = berlin.bounds(day, day)
        lengths.append((stop - start) / timedelta(hours=1))

    assert lengths == [23, 25]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01T09:30", datetime(2026, 3, 1, 8, 30, tzinfo=UTC)),
        ("2026-03-01 09:30:15", datetime(2026, 3, 1, 8, 30, 15, tzinfo=UTC)),
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00+05:30", datetime(2026, 3, 1, 4, 0, tzinfo=UTC)),
    ],
)
def test_time_is_local_unless_it_names_an_offset(berlin: Calendar, text: str, expected: datetime):
    """A full timestamp is one instant."""
    assert berlin.instant(text) == expected


def test_end_given_as_a_time_is_included(berlin: Calendar):
    """Both ends of a range of times belong to it."""
    start, stop = berlin.bounds("2026-03-01T09:30", "2026-03-01T09:30")

    assert start < stop


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_blank_is_no_bound(berlin: Calendar, blank: str | None):
    """A blank end leaves the range open."""
    assert berlin.bounds(blank, blank) == (None, None)


@pytest.mark.parametrize(
    "text",
    ["2026-02-30", "03/04/26", "2026-03-01T25:00", "soon", "2026", "0", "\x00", "x" * 10_000, "ٱ"],
)
def test_unreadable_date_names_the_accepted_forms(berlin: Calendar, text: str):
    """An impossible or ambiguous date is refused with what can be written instead."""
    with pytest.raises(InvalidDate, match=r"since.*2026-03-01.*yesterday") as refused:
        berlin.bounds(text, None)

    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("value", [5, 1.5, ["2026-03-01"], True])
def test_value_of_another_type_is_refused(berlin: Calendar, value: object):
    """A number is no date."""
    with pytest.raises(InvalidDate, match="until must be"):
        berlin.bounds(None, value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("since", "until"),
    [
        ("2026-03-02", "2026-03-01"),
        ("today", "yesterday"),
        ("2026-03-01T10:00", "2026-03-01T09:00"),
    ],
)
def test_reversed_range_is_refused(berlin: Calendar, since: str, until: str):
    """A range whose start lies after its end is named with both."""
    with pytest.raises(InvalidDate, match="lies after"):
        berlin.bounds(since, until)


@pytest.mark.parametrize("name", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC", ""])
def test_edges_of_the_calendar_are_legal(clock: Clock, name: str):
    """The first and the last day of all can be written in every zone."""
    start, stop = Calendar(clock, zone(name)).bounds("0001-01-01", "9999-12-31")

    assert start < clock.now < stop


def test_unknown_zone_is_refused():
    """A zone that does not exist is named."""
    with pytest.raises(InvalidInput, match="'Mars/Olympus'"):
        zone("Mars/Olympus")


def test_stamps_sort_by_time():
    """Stored times have one width and one offset, so that text order is time order."""
    moments = [
        datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=9))),
        datetime(2026, 3, 1, 12, tzinfo=UTC),
        datetime(2026, 3, 1, 12, 0, 0, 5, tzinfo=UTC),
    ]

    stamps = [stamp(moment) for moment in moments]

    assert stamps == sorted(stamps)
    assert {len(text) for text in stamps} == {32}
    assert all(text.endswith("+00:00") for text in stamps)
