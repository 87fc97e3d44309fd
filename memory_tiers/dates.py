"""Days and instants as people and models write them, turned into UTC. Knows no store."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memory_tiers.errors import InvalidDate, InvalidInput

Moment = date | datetime | str | None

ACCEPTED = (
    "a day such as 2026-03-01, a time such as 2026-03-01T14:30, or one of: today, yesterday, "
    "this week, last week, this month, last month"
)


def zone(name: str) -> ZoneInfo | None:
    """Return the zone called `name` (IANA), None for the machine's own when blank.

    Raises:
        InvalidInput: There is no such zone.
    """
    if not name.strip():
        return None
    try:
        return ZoneInfo(name.strip())
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput(
            f"There is no time zone {name!r}; use an IANA name such as Europe/Berlin."
        ) from error


@dataclass(frozen=True, slots=True)
class Calendar:
    """Reads dates in one zone. `zone` None means the machine's; `clock` gives aware UTC."""

    clock: Callable[[], datetime]
    zone: ZoneInfo | None = None

    def now(self) -> datetime:
        """Return the present instant in UTC."""
        return self.clock().astimezone(UTC)

    def instant(self, at: datetime | str | None) -> datetime:
        """Return `at` in UTC, now when None; without an offset it is local time.

        Raises:
            InvalidDate: `at` cannot be read as a time.
        """
        if at is None:
            return self.now()
        if isinstance(at, datetime):
            return self._utc(at)
        first, _ = self._span(at, "at")
        return first

    def bounds(self, since: Moment, until: Moment) -> tuple[datetime | None, datetime | None]:
        """Return the half-open UTC range that holds both ends; None where there is no bound.

        Raises:
            InvalidDate: A bound cannot be read, or `since` lies after `until`.
        """
        start = None if _blank(since) else self._span(since, "since")[0]
        stop = None if _blank(until) else self._span(until, "until")[1]
        if start and stop and start >= stop:
            raise InvalidDate(
                f"since ({since}) lies after until ({until}); give the earlier date as since."
            )
        return start, stop

    def _span(self, value: Moment, name: str) -> tuple[datetime, datetime]:
        read = self._read(value, name) if isinstance(value, str) else value
        if isinstance(read, datetime):
            instant = self._utc(read)
            return instant, _later(instant, timedelta(microseconds=1))
        if isinstance(read, date):
            read = (read, read)
        if isinstance(read, tuple):
            return self._midnight(read[0]), self._midnight(_next(read[1]))
        raise InvalidDate(f"{name} must be {ACCEPTED}; got {type(value).__name__}.")

    def _read(self, text: str, name: str) -> date | datetime | tuple[date, date]:
        plain = " ".join(text.split())
        if plain.casefold() in _NAMED:
            return _NAMED[plain.casefold()](self._today())
        for read in (date.fromisoformat, datetime.fromisoformat):
            try:
                return read(plain)
            except ValueError:
                continue
        raise InvalidDate(f"{name} {text[:40]!r} is no date I can read; use {ACCEPTED}.")

    def _today(self) -> date:
        return self.now().astimezone(self.zone).date()

    def _midnight(self, day: date) -> datetime:
        return self._utc(datetime.combine(day, time.max if day == date.max else time.min))

    def _utc(self, moment: datetime) -> datetime:
        if moment.tzinfo is None and self.zone is not None:
            moment = moment.replace(tzinfo=self.zone)
        try:
            return moment.astimezone(UTC)
        except (OverflowError, ValueError):  # at the calendar's very edges there is no other day
            return moment.replace(tzinfo=UTC)


def stamp(at: datetime) -> str:
    """Return `at` as fixed-width UTC text that sorts by time."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _blank(value: Moment) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _next(day: date) -> date:
    return day if day == date.max else day + timedelta(1)


def _later(instant: datetime, step: timedelta) -> datetime:
    return instant if instant > datetime.max.replace(tzinfo=UTC) - step else instant + step


def _week(day: date) -> tuple[date, date]:
    monday = day - timedelta(day.weekday())
    return monday, monday + timedelta(6)


def _month(day: date) -> tuple[date, date]:
    first = day.replace(day=1)
    return first, (first + timedelta(31)).replace(day=1) - timedelta(1)


_NAMED: dict[str, Callable[[date], tuple[date, date]]] = {
    "today": lambda day: (day, day),
    "yesterday": lambda day: (day - timedelta(1), day - timedelta(1)),
    "this week": _week,
    "last week": lambda day: _week(day - timedelta(7)),
    "this month": _month,
    "last month": lambda day: _month(day.replace(day=1) - timedelta(1)),
}
