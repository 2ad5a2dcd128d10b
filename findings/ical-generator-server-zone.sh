#!/bin/sh
# Guess:  a Date is an instant: ical-generator writes it in the event's time zone as what the clock there shows.
# So is:  it writes the clock of the server and puts the event's time zone beside it. A lesson at 6:00Z, 8:00 in Berlin,
#         is 8:00 Berlin on a laptop in Berlin and 6:00 Berlin on a server in UTC. UNTIL in the same event stays right.
#         With the zone at the calendar, as one does to say it once, the times carry no zone at all: a reader puts them on
#         its own clock, and the lesson that is taken out is taken out only there where both clocks agree.
# Schools: the timetable is right when it is tried out and hours early when it is in use.
. "$(dirname "$0")/lib.sh"

# Asks for Node 22 and runs on 20.
install ical-generator@11.1.2 node-ical@0.27.2
run Europe/Berlin UTC America/New_York <<'JS'
import ical from 'ical-generator';
import nodeIcal from 'node-ical';
const lesson = {
  id: '1', stamp: new Date('2026-09-01T00:00:00Z'), summary: 'Maths',
  start: new Date('2026-10-19T06:00:00Z'), end: new Date('2026-10-19T06:45:00Z'),
  repeating: { freq: 'WEEKLY', until: new Date('2026-11-02T07:00:00Z'), exclude: [new Date('2026-10-26T07:00:00Z')] },
};
const eventZone = ical({ name: '5a' });
eventZone.createEvent({ ...lesson, timezone: 'Europe/Berlin' });
const calendarZone = ical({ name: '5a', timezone: 'Europe/Berlin' });
calendarZone.createEvent(lesson);
const line = (calendar, name) => calendar.toString().match(new RegExp(`^${name}.*$`, 'm'))[0].trim();
console.log(process.env.TZ, '| zone of the event:', line(eventZone, 'DTSTART'), line(eventZone, 'RRULE'));
console.log(process.env.TZ, '| zone of the calendar:', line(calendarZone, 'DTSTART'), line(calendarZone, 'EXDATE'));
const [event] = Object.values(nodeIcal.sync.parseICS(calendarZone.toString())).filter((part) => part.type === 'VEVENT');
const days = nodeIcal.expandRecurringEvent(event, { from: new Date('2026-10-01'), to: new Date('2026-12-01') });
console.log(process.env.TZ, '| read by node-ical:', days.map((day) => day.start.toISOString().slice(5, 16)).join(' '));
JS
seen <<'TEXT'
Europe/Berlin | zone of the event: DTSTART;TZID=Europe/Berlin:20261019T080000 RRULE:FREQ=WEEKLY;UNTIL=20261102T070000Z
Europe/Berlin | zone of the calendar: DTSTART:20261019T080000 EXDATE;TZID=Europe/Berlin:20261026T080000
Europe/Berlin | read by node-ical: 10-19T06:00 10-26T06:00 11-02T06:00
UTC | zone of the event: DTSTART;TZID=Europe/Berlin:20261019T060000 RRULE:FREQ=WEEKLY;UNTIL=20261102T070000Z
UTC | zone of the calendar: DTSTART:20261019T060000 EXDATE;TZID=Europe/Berlin:20261026T070000
UTC | read by node-ical: 10-19T06:00 11-02T06:00
America/New_York | zone of the event: DTSTART;TZID=Europe/Berlin:20261019T020000 RRULE:FREQ=WEEKLY;UNTIL=20261102T070000Z
America/New_York | zone of the calendar: DTSTART:20261019T020000 EXDATE;TZID=Europe/Berlin:20261026T030000
America/New_York | read by node-ical: 10-19T06:00 10-26T06:00
TEXT
