#!/bin/sh
# Guess:  a reader of iCalendar that expands repeating events counts RDATE, the extra dates of RFC 5545 3.8.5.2.
# So is:  ical.js has the extra lesson. node-ical keeps the text of it and leaves it out of expandRecurringEvent; ts-ics
#         does not read the property.
# Schools: the lesson that is made up for on a Saturday is in one calendar and not in the other.
. "$(dirname "$0")/lib.sh"

install node-ical@0.27.2 ical-expander@3.2.0 ical.js@2.2.1 ts-ics@2.4.6
run <<'JS'
import nodeIcal from 'node-ical';
import IcalExpander from 'ical-expander';
import { convertIcsCalendar, extendByRecurrenceRule } from 'ts-ics';
const text = [
  'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//School//Timetable//EN', 'BEGIN:VEVENT', 'UID:1@school.example',
  'DTSTAMP:20260901T000000Z', 'SUMMARY:Maths', 'DTSTART:20261102T080000Z', 'DTEND:20261102T084500Z',
  'RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20261107T080000Z', 'END:VEVENT', 'END:VCALENDAR', '',
].join('\r\n');
const from = new Date('2026-10-01'), to = new Date('2026-12-01');
const show = (name, dates) => console.log(name, dates.map((date) => date.toISOString().slice(5, 10)).sort().join(' '));
show('ical.js  ', new IcalExpander({ ics: text, maxIterations: 9 }).between(from, to).occurrences.map((day) => day.startDate.toJSDate()));
const event = Object.values(nodeIcal.sync.parseICS(text)).find((part) => part.type === 'VEVENT');
show('node-ical', nodeIcal.expandRecurringEvent(event, { from, to }).map((day) => day.start));
const [other] = convertIcsCalendar(undefined, text).events;
show('ts-ics   ', extendByRecurrenceRule(other.recurrenceRule, { start: other.start.date, end: to }));
console.log('ts-ics keeps 7 November anywhere:', JSON.stringify(other).includes('11-07'));
JS
seen <<'TEXT'
ical.js   11-02 11-07 11-09
node-ical 11-02 11-09
ts-ics    11-02 11-09
ts-ics keeps 7 November anywhere: false
TEXT
