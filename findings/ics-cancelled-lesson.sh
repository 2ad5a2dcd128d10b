#!/bin/sh
# Guess:  ics writes a weekly lesson at 8:00 and, out of the same kind of array, the week in which it is cancelled.
# So is:  by default it writes the start in UTC, so that the rule repeats in UTC: after the clocks change the lesson is at
#         7:00, and the cancelled week, computed with the new offset, hits no lesson. With startOutputType local the start
#         has no zone and the exclusion is still in UTC: node-ical shows the cancelled lesson, ical.js does not.
# Schools: families see a lesson that does not take place, and from November on each at the wrong hour.
. "$(dirname "$0")/lib.sh"

install ics@3.12.0 node-ical@0.27.2 ical-expander@3.2.0 ical.js@2.2.1
run Europe/Berlin <<'JS'
import { createEvent } from 'ics';
import nodeIcal from 'node-ical';
import IcalExpander from 'ical-expander';
const lesson = (options) => createEvent({
  title: 'Maths', start: [2026, 10, 19, 8, 0], duration: { minutes: 45 }, recurrenceRule: 'FREQ=WEEKLY;COUNT=3',
  exclusionDates: [[2026, 10, 26, 8, 0]], ...options,
}).value;
const from = new Date('2026-10-01'), to = new Date('2026-12-01');
const clock = (dates) => dates.map((date) => date.toLocaleString('sv').slice(5, 16)).sort().join(', ');
const read = (text) => {
  const event = Object.values(nodeIcal.sync.parseICS(text)).find((part) => part.type === 'VEVENT');
  console.log('  node-ical:', clock(nodeIcal.expandRecurringEvent(event, { from, to }).map((day) => day.start)));
  const found = new IcalExpander({ ics: text, maxIterations: 100 }).between(from, to);
  console.log('  ical.js:  ', clock(found.occurrences.map((day) => day.startDate.toJSDate())));
};
for (const options of [{}, { startInputType: 'local', startOutputType: 'local' }]) {
  const text = lesson(options);
  console.log(...text.match(/^(DTSTART|EXDATE).*$/gm).map((line) => line.trim()));
  read(text);
}
JS
seen <<'TEXT'
DTSTART:20261019T060000Z EXDATE:20261026T070000Z
  node-ical: 10-19 08:00, 10-26 07:00, 11-02 07:00
  ical.js:   10-19 08:00, 10-26 07:00, 11-02 07:00
DTSTART:20261019T080000 EXDATE:20261026T070000Z
  node-ical: 10-19 08:00, 10-26 07:00, 11-02 07:00
  ical.js:   10-19 08:00, 11-02 08:00
TEXT
