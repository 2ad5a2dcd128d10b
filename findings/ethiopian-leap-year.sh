#!/bin/sh
# Guess:  four converters to the Ethiopian calendar, a fixed cycle of four years, agree.
# So is:  ethiopian-calendar-new leaves out Pagume 6, the leap day before the new year, so that every fourth Ethiopian year,
#         such as 2016 (September 2023 to September 2024), is a day off from its first day to its last. Intl,
#         ethiopian-date and kenat agree. The next such year begins in September 2027.
# Schools: in one year of four, the year that a pupil was born or enrolled in, each date is a day off.
. "$(dirname "$0")/lib.sh"

install ethiopian-calendar-new@1.1.0 ethiopian-date@0.0.6 kenat@3.2.0
run <<'JS'
import calendar from 'ethiopian-calendar-new';
import date from 'ethiopian-date';
import { toEC } from 'kenat';
const format = new Intl.DateTimeFormat('en-u-ca-ethiopic', { timeZone: 'UTC', year: 'numeric', month: 'numeric', day: 'numeric' });
const intl = (moment) => {
  const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  return `${part.year}-${part.month}-${part.day}`;
};
const packages = {
  'ethiopian-calendar-new': (...day) => { const made = calendar.toEthiopian(...day); return `${made.year}-${made.month}-${made.day}`; },
  'ethiopian-date': (...day) => date.toEthiopian(...day).join('-'),
  kenat: (...day) => { const made = toEC(...day); return `${made.year}-${made.month}-${made.day}`; },
};
for (const day of ['2023-09-10', '2023-09-11', '2023-09-12', '2024-03-01', '2024-09-11']) {
  const texts = Object.entries(packages).map(([name, convert]) => `${name} ${convert(...day.split('-').map(Number))}`);
  console.log(`${day}: Intl ${intl(new Date(day))}, ${texts.join(', ')}`);
}
const wrong = {};
for (let moment = new Date('2020-09-11'); moment < new Date('2028-09-11'); moment = new Date(moment.getTime() + 86_400_000)) {
  const expected = intl(moment);
  for (const [name, convert] of Object.entries(packages)) {
    if (convert(moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate()) !== expected) wrong[name] = (wrong[name] ?? 0) + 1;
  }
}
console.log('days of eight years that are not those of Intl:', JSON.stringify(wrong));
JS
seen <<'TEXT'
2023-09-10: Intl 2015-13-5, ethiopian-calendar-new 2015-13-5, ethiopian-date 2015-13-5, kenat 2015-13-5
2023-09-11: Intl 2015-13-6, ethiopian-calendar-new 2016-1-1, ethiopian-date 2015-13-6, kenat 2015-13-6
2023-09-12: Intl 2016-1-1, ethiopian-calendar-new 2016-1-2, ethiopian-date 2016-1-1, kenat 2016-1-1
2024-03-01: Intl 2016-6-22, ethiopian-calendar-new 2016-6-23, ethiopian-date 2016-6-22, kenat 2016-6-22
2024-09-11: Intl 2017-1-1, ethiopian-calendar-new 2017-1-1, ethiopian-date 2017-1-1, kenat 2017-1-1
days of eight years that are not those of Intl: {"ethiopian-calendar-new":732}
TEXT
