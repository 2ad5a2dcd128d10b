#!/bin/sh
# Guess:  a weekly whole-day event (duty week, market day) read by ts-ics falls on the same weekday all year, to its end.
# So is:  ts-ics answers the days as midnights in UTC and adds weeks on the server's clock: after the clocks change they
#         are an hour off, 1:00Z in autumn and 23:00Z of the day before in spring, and the last day is lost where the end
#         of the rule is that day.
# Schools: on a server that is not in UTC a Monday becomes a Sunday in spring, and the last duty of autumn is missing.
. "$(dirname "$0")/lib.sh"

install ts-ics@2.4.6
run UTC Europe/Berlin <<'JS'
import { convertIcsCalendar, extendByRecurrenceRule } from 'ts-ics';
const days = (start, until) => {
  const next = String(Number(start) + 1);
  const [event] = convertIcsCalendar(undefined, [
    'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//School//Timetable//EN', 'BEGIN:VEVENT', 'UID:1@school.example',
    'DTSTAMP:20260901T000000Z', 'SUMMARY:Duty', `DTSTART;VALUE=DATE:${start}`, `DTEND;VALUE=DATE:${next}`,
    `RRULE:FREQ=WEEKLY;UNTIL=${until}`, 'END:VEVENT', 'END:VCALENDAR', '',
  ].join('\r\n')).events;
  const all = extendByRecurrenceRule(event.recurrenceRule, { start: event.start.date, end: new Date('2027-06-01') });
  return all.map((date) => date.toISOString().slice(5, 16)).join(' ');
};
console.log(process.env.TZ, '| Mondays 19 October to 2 November:', days('20261019', '20261102'));
console.log(process.env.TZ, '| Mondays 22 March to 5 April:', days('20270322', '20270405'));
JS
seen <<'TEXT'
UTC | Mondays 19 October to 2 November: 10-19T00:00 10-26T00:00 11-02T00:00
UTC | Mondays 22 March to 5 April: 03-22T00:00 03-29T00:00 04-05T00:00
Europe/Berlin | Mondays 19 October to 2 November: 10-19T00:00 10-26T01:00
Europe/Berlin | Mondays 22 March to 5 April: 03-22T00:00 03-28T23:00 04-04T23:00
TEXT
