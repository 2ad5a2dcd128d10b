#!/bin/sh
# Guess:  date-holidays, which computes lunar holidays and knows both of Korea's three-day feasts, has both right.
# So is:  Chuseok starts on the eve, as it should; Seollal starts on New Year's Day itself, so that the eve, a public
#         holiday, is a working day, and the day after the feast is free. Every year. The day of Seollal is counted here
#         with the Korean calendar of Intl: the feast is the day before, the day and the day after.
# Schools: a school in Korea marks its pupils absent on a holiday, and plans no lessons for a day of school.
. "$(dirname "$0")/lib.sh"

install date-holidays@3.37.0
run Asia/Seoul <<'JS'
import Holidays from 'date-holidays';
const korea = new Holidays('KR');
const lunar = new Intl.DateTimeFormat('en-u-ca-dangi', { month: 'numeric', day: 'numeric', timeZone: 'Asia/Seoul' });
const feast = (name, year, month, day) => {
  const date = new Date(`${year}-01-15T12:00:00+09:00`);
  while (lunar.format(date) !== `${month}/${day}`) date.setDate(date.getDate() + 1);
  const days = [-1, 0, 1, 2].map((offset) => {
    const other = new Date(date);
    other.setDate(other.getDate() + offset);
    const free = (korea.isHoliday(other) || []).some((holiday) => holiday.type === 'public');
    return `${other.toLocaleDateString('sv')} ${free ? 'free' : 'work'}`;
  });
  console.log(name, year, '| eve', days[0], '| day', days[1], '| after', days[2], '| next', days[3]);
};
for (const year of [2025, 2026]) feast('Seollal', year, 1, 1);
feast('Chuseok', 2026, 8, 15);
JS
seen <<'TEXT'
Seollal 2025 | eve 2025-01-28 work | day 2025-01-29 free | after 2025-01-30 free | next 2025-01-31 free
Seollal 2026 | eve 2026-02-16 work | day 2026-02-17 free | after 2026-02-18 free | next 2026-02-19 free
Chuseok 2026 | eve 2026-09-24 free | day 2026-09-25 free | after 2026-09-26 free | next 2026-09-27 work
TEXT
