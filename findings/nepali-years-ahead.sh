#!/bin/sh
# Guess:  converters to Bikram Sambat, Nepal's official calendar, agree on this year and the next.
# So is:  the lengths of its months are published year by year; each package has a table of its own for what is to come. In
#         2026 and 2027 one of five differs by a day, in 2031 two do, by two days each way. bikram-sambat-js is a day off in
#         the first half of April of every second year or so, also in the past.
# Schools: Nepal's school year starts in mid-April: its first day, exams and due dates that are planned ahead, and births of
#         early April, are on another day in another program.
. "$(dirname "$0")/lib.sh"

install bikram-sambat@1.8.1 bikram-sambat-js@1.0.3 @sbmdkl/nepali-date-converter@2.0.5 nepali-date-converter@3.4.0 nepali-date-library@1.1.16
run <<'JS'
import bikramSambat from 'bikram-sambat';
import { ADToBS } from 'bikram-sambat-js';
import { adToBs } from '@sbmdkl/nepali-date-converter';
import nepali from 'nepali-date-converter';
import library from 'nepali-date-library';
const NepaliDate = nepali.default ?? nepali;
const plain = (text) => text.split(/[-/]/).map(Number).join('-');
const packages = {
  'bikram-sambat': (day) => { const { year, month, day: date } = bikramSambat.toBik(day); return `${year}-${month}-${date}`; },
  'bikram-sambat-js': (day) => plain(ADToBS(day)),
  '@sbmdkl/nepali-date-converter': (day) => plain(adToBs(day)),
  'nepali-date-converter': (day) => {
    const [year, month, date] = day.split('-').map(Number);
    const made = new NepaliDate(new Date(year, month - 1, date)).getBS();
    return `${made.year}-${made.month + 1}-${made.date}`;
  },
  'nepali-date-library': (day) => plain(library.ADtoBS(day)),
};
for (const day of ['2019-06-01', '2012-04-05', '2026-01-01', '2026-11-27', '2027-01-14', '2028-06-01', '2031-04-20']) {
  const groups = new Map();
  for (const [name, convert] of Object.entries(packages)) groups.set(convert(day), [...(groups.get(convert(day)) ?? []), name]);
  console.log(day, [...groups].map(([made, names]) => `${made} (${names.length === 5 ? 'all' : names.join(', ')})`).join(' | '));
}
JS
seen <<'TEXT'
2019-06-01 2076-2-18 (all)
2012-04-05 2068-12-23 (bikram-sambat, @sbmdkl/nepali-date-converter, nepali-date-converter, nepali-date-library) | 2068-12-22 (bikram-sambat-js)
2026-01-01 2082-9-17 (bikram-sambat, @sbmdkl/nepali-date-converter, nepali-date-converter, nepali-date-library) | 2082-9-16 (bikram-sambat-js)
2026-11-27 2083-8-11 (bikram-sambat, @sbmdkl/nepali-date-converter, nepali-date-converter, nepali-date-library) | 2083-8-12 (bikram-sambat-js)
2027-01-14 2083-9-30 (bikram-sambat, @sbmdkl/nepali-date-converter, nepali-date-converter, nepali-date-library) | 2083-10-1 (bikram-sambat-js)
2028-06-01 2085-2-19 (bikram-sambat, bikram-sambat-js, @sbmdkl/nepali-date-converter, nepali-date-converter) | 2085-2-20 (nepali-date-library)
2031-04-20 2088-1-6 (bikram-sambat, @sbmdkl/nepali-date-converter, nepali-date-converter) | 2088-1-4 (bikram-sambat-js) | 2088-1-8 (nepali-date-library)
TEXT
