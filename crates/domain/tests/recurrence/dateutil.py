"""Records slots of random rules from python-dateutil: python3 dateutil.py > dateutil.txt

Each line is a start, a rule, and up to eight slots, the start first. What dateutil reads in another way than RFC 5545 or
RFC 8984 is left out: BYSETPOS in the first, partial week; days of the month of a yearly rule without BYMONTH; weeks
without BYDAY, and those at the ends of years; numbered weekdays beside others; starts that the rule does not give.
"""

import random
from datetime import datetime, timedelta

from dateutil import __version__
from dateutil.rrule import rrulestr

random.seed(5545)
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def some(values, most=3):
    return sorted(random.sample(values, random.randint(1, most)))


def signed(most):
    return [n for n in range(-most, most + 1) if n]


def numbers(name, values, most=3):
    return f"{name}=" + ",".join(map(str, some(values, most)))


def plain_days():
    return "BYDAY=" + ",".join(day for day in WEEKDAYS if random.random() < 0.4 or day == "TH")


def numbered_days(most):
    days = {f"{random.choice(signed(most))}{random.choice(WEEKDAYS)}" for _ in range(random.randint(1, 3))}
    return "BYDAY=" + ",".join(sorted(days))


def maybe(part, chance=0.5):
    return [part] if random.random() < chance else []


def rule():
    frequency = random.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY", "YEARLY"])
    parts = [f"FREQ={frequency}"]
    months = numbers("BYMONTH", range(1, 13), 4)
    of_month = numbers("BYMONTHDAY", signed(31))
    weeks = False
    if frequency == "DAILY":
        parts += maybe(months, 0.4) + maybe(of_month, 0.3) + maybe(plain_days(), 0.4)
    elif frequency == "WEEKLY":
        parts += maybe(months, 0.3) + maybe(plain_days(), 0.7)
    elif frequency == "MONTHLY":
        days = random.choice([[of_month], [plain_days()], [numbered_days(5)], [of_month, plain_days()], []])
        parts += maybe(months, 0.3) + days
    else:
        weeks = random.random() < 0.2
        parts += random.choice(
            [
                [numbers("BYWEEKNO", range(2, 52)), plain_days()],
            ]
            if weeks
            else [
                [months, of_month],
                [months, plain_days()],
                [months, numbered_days(5)],
                [numbered_days(53)],
                [numbers("BYYEARDAY", signed(366))],
                [numbers("BYYEARDAY", signed(366), 9), plain_days()],
                [months],
                [],
            ]
        )
    if not weeks:
        parts += maybe(f"INTERVAL={random.randint(2, 6)}")
    parts += maybe(numbers("BYHOUR", range(24)), 0.2) + maybe(numbers("BYMINUTE", range(60), 2), 0.1)
    if any(part.startswith("BY") for part in parts) and frequency != "WEEKLY" and not weeks:
        parts += maybe(numbers("BYSETPOS", signed(4), 2), 0.3)
    return parts + maybe(f"WKST={random.choice(WEEKDAYS)}", 0.3)


def main():
    print(f"# python-dateutil {__version__}: see dateutil.py")
    written = 0
    while written < 400:
        parts = rule()
        base = datetime(2027, 1, 1, 9, 30) + timedelta(days=random.randrange(1500))
        slots = rrulestr(";".join(parts), dtstart=base)
        start = next(iter(slots), None)
        if start is None:
            continue
        end = random.random()
        if end < 0.3:
            parts.append(f"COUNT={random.randint(1, 7)}")
        elif end < 0.5:
            last = start + timedelta(days=random.randrange(1, 900))
            parts.append(f"UNTIL={last:%Y%m%dT%H%M%S}")
        found = []
        for slot in rrulestr(";".join(parts), dtstart=start):
            if len(found) == 8 or slot.year > 2090:
                break
            found.append(f"{slot:%Y%m%dT%H%M}")
        print(found[0], ";".join(parts), *found[1:])
        written += 1


main()
