#!/bin/sh
# Guess:  the entry date of a line of MT940 (:61:, month and day without a year) lies within days of its value date.
# So is:  three parsers give it the year of the value date: valued 31 December 2025 and booked 1 January 2026 is read as
#         booked 1 January 2025, and valued 1 January 2026 and booked 31 December 2025 as booked 31 December 2026.
# Schools: around New Year a payment is booked a year too early, in closed books, or a year ahead.
. "$(dirname "$0")/lib.sh"

# mt940-js needs tslib without saying so.
install mt940js@1.3.5 mt940-js@1.0.0 tslib@2.8.1 swiftmessageparser@1.2.1
run <<'JS'
import mt940js from 'mt940js';
import * as mt940 from 'mt940-js';
import swift from 'swiftmessageparser';
const statement = [
  ':20:STATEMENT', ':25:10020030/1234567', ':28C:1/1', ':60F:C251230EUR1000,00',
  ':61:2512310101C100,00NTRFNONREF//B1', ':86:Fee',
  ':61:2601011231D20,00NTRFNONREF//B2', ':86:Chalk',
  ':62F:C260102EUR1080,00', '-', '',
].join('\r\n');
const show = (name, lines) => console.log(name, lines.map(([value, entry]) => `valued ${value} booked ${entry}`).join(', '));
const day = (date) => (date instanceof Date ? date.toISOString().slice(0, 10) : date);
const pair = (line) => [day(line.date ?? line.valueDate), day(line.entryDate)];
show('mt940js           ', new mt940js.Parser().parse(statement)[0].transactions.map(pair));
show('mt940-js          ', (await mt940.read(Buffer.from(statement)))[0].transactions.map(pair));
show('swiftmessageparser', swift.parse({ type: 'mt940', data: statement })[0].transactions.map(pair));
JS
seen <<'TEXT'
mt940js            valued 2025-12-31 booked 2025-01-01, valued 2026-01-01 booked 2026-12-31
mt940-js           valued 2025-12-31 booked 2025-01-01, valued 2026-01-01 booked 2026-12-31
swiftmessageparser valued 2025-12-31 booked 2025-01-01, valued 2026-01-01 booked 2026-12-31
TEXT
