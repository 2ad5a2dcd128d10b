#!/bin/sh
# Guess:  the Umm al-Qura calendar of Saudi Arabia is a published table, so that all that convert with it agree.
# So is:  of the births of 1985 to 1998, Intl (ICU) gives most a Hijri day that four packages do not give; and in December
#         2024 hijri-converter alone is a day off. A date converted by one and back by another comes home a day off.
# Schools: a date of birth from a Hijri identity card differs by a day from the one in the register, and finds no pupil.
. "$(dirname "$0")/lib.sh"

install hijri-converter@1.1.1 moment-hijri@3.0.0 @umalqura/core@0.0.7 @tabby_ai/hijri-converter@1.0.5
run <<'JS'
import hijriConverter from 'hijri-converter';
import moment from 'moment-hijri';
import { gregorianToHijri, hijriToGregorian } from '@tabby_ai/hijri-converter';
import core from '@umalqura/core';
const umalqura = core.default ?? core;
const format = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura', { timeZone: 'UTC', year: 'numeric', month: 'numeric', day: 'numeric' });
const intl = (date) => {
  const part = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  return [part.year, part.month, part.day];
};
const packages = {
  'hijri-converter': (y, m, d) => { const { hy, hm, hd } = hijriConverter.toHijri(y, m, d); return [hy, hm, hd]; },
  'moment-hijri': (y, m, d) => { const date = moment([y, m - 1, d]); return [date.iYear(), date.iMonth() + 1, date.iDate()]; },
  '@umalqura/core': (y, m, d) => { const { hy, hm, hd } = umalqura(new Date(y, m - 1, d)); return [hy, hm, hd]; },
  '@tabby_ai/hijri-converter': (y, m, d) => { const { year, month, day } = gregorianToHijri({ year: y, month: m, day: d }); return [year, month, day]; },
};
for (const [from, to] of [['1985-01-01', '1998-12-31'], ['2012-01-01', '2023-12-31'], ['2024-12-01', '2024-12-31']]) {
  const differ = Object.fromEntries(Object.keys(packages).map((name) => [name, 0]));
  let days = 0;
  for (let date = new Date(from); date <= new Date(to); date = new Date(date.getTime() + 86_400_000)) {
    days += 1;
    const expected = String(intl(date));
    for (const [name, convert] of Object.entries(packages)) {
      if (String(convert(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())) !== expected) differ[name] += 1;
    }
  }
  console.log(from, 'to', to, '-', days, 'days, other than Intl:', JSON.stringify(differ));
}
const [year, month, day] = intl(new Date('1990-01-01'));
console.log('1990-01-01 by Intl:', year, month, day, '- back by @tabby_ai/hijri-converter:', JSON.stringify(hijriToGregorian({ year, month, day })));
JS
seen <<'TEXT'
1985-01-01 to 1998-12-31 - 5113 days, other than Intl: {"hijri-converter":4272,"moment-hijri":4272,"@umalqura/core":4272,"@tabby_ai/hijri-converter":4272}
2012-01-01 to 2023-12-31 - 4383 days, other than Intl: {"hijri-converter":0,"moment-hijri":0,"@umalqura/core":0,"@tabby_ai/hijri-converter":0}
2024-12-01 to 2024-12-31 - 31 days, other than Intl: {"hijri-converter":30,"moment-hijri":0,"@umalqura/core":0,"@tabby_ai/hijri-converter":0}
1990-01-01 by Intl: 1410 6 3 - back by @tabby_ai/hijri-converter: {"year":1989,"month":12,"day":31}
TEXT
