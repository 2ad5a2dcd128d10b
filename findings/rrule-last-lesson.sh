#!/bin/sh
# Guess:  rrule understands a lesson at 8:00 in Berlin that repeats until 8:00 in Berlin on the last day of term.
# So is:  rrule compares the local clock (8:00) with UNTIL, which RFC 5545 wants in UTC (7:00Z), as if both were one
#         clock. East of Greenwich the last lesson is missing; west of it a lesson after the end is added. A rule whose
#         start is a day (VALUE=DATE) loses its start altogether, and begins at the moment of reading.
# Schools: the timetable that was imported ends a lesson early, and a weekly whole-day event moves to another weekday.
. "$(dirname "$0")/lib.sh"

install rrule@2.8.1
run <<'JS'
import rrule from 'rrule';
const lessons = (...lines) => rrule.rrulestr(lines.join('\n')).all();
const days = (dates) => dates.map((date) => date.toISOString().slice(0, 10)).join(' ');

const east = lessons('DTSTART;TZID=Europe/Berlin:20261102T080000', 'RRULE:FREQ=WEEKLY;UNTIL=20261116T070000Z');
console.log('Berlin, Mondays 8:00 until 16 November 8:00:', days(east));

const west = lessons('DTSTART;TZID=America/New_York:20261102T140000', 'RRULE:FREQ=DAILY;BYHOUR=14,16;UNTIL=20261103T190000Z');
console.log('New York, 14:00 and 16:00 until 3 November 14:00 (19:00Z):', west.map((date) => date.toISOString().slice(5, 16)).join(' '));

const wholeDay = lessons('DTSTART;VALUE=DATE:20240902', 'RRULE:FREQ=WEEKLY;COUNT=2');
console.log('whole days from 2 September 2024 start in 2024:', wholeDay[0].getUTCFullYear() === 2024);
JS
seen <<'TEXT'
Berlin, Mondays 8:00 until 16 November 8:00: 2026-11-02 2026-11-09
New York, 14:00 and 16:00 until 3 November 14:00 (19:00Z): 11-02T19:00 11-02T21:00 11-03T19:00 11-03T21:00
whole days from 2 September 2024 start in 2024: false
TEXT
