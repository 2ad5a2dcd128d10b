#!/bin/sh
# Guess:  a cell with the date 25 March 2012 is read as 25 March 2012 in every time zone.
# So is:  SheetJS (xlsx, the last version on npm, with cellDates) computes with the offset that the zone had around 1900,
#         without its seconds. In India, China, Turkey, Saudi Arabia, Nigeria, Kenya and many other zones the Date is
#         seconds before midnight: 24 March. In Lima it is seconds after. Berlin and New York are right, so that no
#         developer there sees it. 0.20.3, not on npm under this name, answers midnight in UTC instead: asked for its day
#         like before, it is now right in the east and a day early in New York and Lima.
# Schools: every date of birth of an imported class list is a day early.
. "$(dirname "$0")/lib.sh"

install xlsx@0.18.5 newer@npm:@e965/xlsx@0.20.3
run Europe/Berlin America/New_York Asia/Kolkata Asia/Shanghai Europe/Istanbul Africa/Lagos America/Lima <<'JS'
import XLSX from 'xlsx';
import newer from 'newer';
// Day 40993 of a spreadsheet is 25 March 2012.
const sheet = { '!ref': 'A1', A1: { t: 'n', v: 40993, z: 'yyyy-mm-dd' } };
const file = newer.write({ SheetNames: ['5a'], Sheets: { '5a': sheet } }, { type: 'buffer', bookType: 'xlsx' });
const read = (library) => library.read(file, { cellDates: true }).Sheets['5a'].A1.v.toLocaleString('sv');
console.log(`${process.env.TZ}: xlsx ${read(XLSX)}, 0.20.3 ${read(newer)}`);
JS
seen <<'TEXT'
Europe/Berlin: xlsx 2012-03-25 00:00:00, 0.20.3 2012-03-25 01:00:00
America/New_York: xlsx 2012-03-25 00:00:00, 0.20.3 2012-03-24 20:00:00
Asia/Kolkata: xlsx 2012-03-24 23:59:50, 0.20.3 2012-03-25 05:30:00
Asia/Shanghai: xlsx 2012-03-24 23:59:17, 0.20.3 2012-03-25 08:00:00
Europe/Istanbul: xlsx 2012-03-24 23:59:04, 0.20.3 2012-03-25 02:00:00
Africa/Lagos: xlsx 2012-03-24 23:59:25, 0.20.3 2012-03-25 01:00:00
America/Lima: xlsx 2012-03-25 00:00:36, 0.20.3 2012-03-24 19:00:00
TEXT
