#!/bin/sh
# Guess:  a package of one country's public holidays in its fourth major version has that country's holidays.
# So is:  Christmas Eve is a public holiday in Poland since 2025. poland-public-holidays calls it a working day;
#         date-holidays, which covers the whole world, has it.
# Schools: due dates and terms counted in working days are a day off at the end of every year.
. "$(dirname "$0")/lib.sh"

install poland-public-holidays@4.0.0 date-holidays@3.37.0
run <<'JS'
import poland from 'poland-public-holidays';
import Holidays from 'date-holidays';
const world = new Holidays('PL', { timezone: 'UTC' });
for (const year of [2024, 2025, 2026]) {
  const eve = new Date(Date.UTC(year, 11, 24, 12));
  const known = (world.isHoliday(eve) || []).some((holiday) => holiday.type === 'public');
  console.log(`24 December ${year}: poland-public-holidays ${poland.isHoliday(eve)}, date-holidays ${known}`);
}
const christmas = new Date(Date.UTC(2026, 11, 25, 12));
console.log('25 December 2026: poland-public-holidays', poland.isHoliday(christmas));
JS
seen <<'TEXT'
24 December 2024: poland-public-holidays false, date-holidays false
24 December 2025: poland-public-holidays false, date-holidays true
24 December 2026: poland-public-holidays false, date-holidays true
25 December 2026: poland-public-holidays true
TEXT
