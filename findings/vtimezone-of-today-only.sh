#!/bin/sh
# Guess:  the VTIMEZONE that a package gives for a calendar describes the zone in the years that the calendar is about.
# So is:  timezones-ical-library has the rules in force now and no others: where they changed this year, lessons of the last
#         school year move by an hour. @touch4it/ical-timezones has the rules of 2018: Cairo without summer time, São Paulo
#         and Mexico City with it. ical.js believes the file, as RFC 5545 says, and not the name.
# Schools: the lessons of last spring in Casablanca, or of this year in Cairo, São Paulo and Mexico, are shown an hour off.
. "$(dirname "$0")/lib.sh"

install timezones-ical-library@2.3.2 @touch4it/ical-timezones@1.9.0 ical.js@2.2.1
run <<'JS'
import * as library from 'timezones-ical-library';
import touch4it from '@touch4it/ical-timezones';
import ICAL from 'ical.js';
const offset = (block, day) => {
  const zone = new ICAL.Timezone({ component: new ICAL.Component(ICAL.parse(block)) });
  const time = ICAL.Time.fromString(`${day}T08:00:00`);
  time.zone = zone;
  return zone.utcOffset(time) / 3600;
};
const right = (timeZone, day) => {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(new Date(`${day}T12:00:00Z`));
  return Number(name.find(({ type }) => type === 'timeZoneName').value.slice(3, 6));
};
for (const [zone, day] of [
  ['Africa/Casablanca', '2026-04-15'], ['America/Vancouver', '2026-01-15'],
  ['Africa/Cairo', '2026-06-15'], ['America/Sao_Paulo', '2026-01-15'], ['America/Mexico_City', '2026-06-15'],
]) {
  const [first] = [library.tzlib_get_ical_block(zone)].flat();
  const second = touch4it.getVtimezoneComponent(zone);
  console.log(`${zone} ${day}: hours by Intl ${right(zone, day)}, timezones-ical-library ${offset(first, day)}, @touch4it ${offset(second, day)}`);
}
JS
seen <<'TEXT'
Africa/Casablanca 2026-04-15: hours by Intl 1, timezones-ical-library 0, @touch4it 1
America/Vancouver 2026-01-15: hours by Intl -8, timezones-ical-library -7, @touch4it -8
Africa/Cairo 2026-06-15: hours by Intl 3, timezones-ical-library 3, @touch4it 2
America/Sao_Paulo 2026-01-15: hours by Intl -3, timezones-ical-library -3, @touch4it -2
America/Mexico_City 2026-06-15: hours by Intl -6, timezones-ical-library -6, @touch4it -5
TEXT
