#!/bin/sh
# Guess:  two parsers of MT940 agree on the sign of a line.
# So is:  RC is a reversed credit: the money goes out again. mt940js answers -50; mt940-js reads the C, answers a credit
#         of 50, and says nothing of a reversal, so that the lines no longer lead from the opening to the closing balance.
# Schools: the bank takes back a payment that it booked wrongly, and the family's account is credited twice.
. "$(dirname "$0")/lib.sh"

# mt940-js needs tslib without saying so.
install mt940js@1.3.5 mt940-js@1.0.0 tslib@2.8.1
run <<'JS'
import mt940js from 'mt940js';
import * as mt940 from 'mt940-js';
const statement = [
  ':20:STATEMENT', ':25:10020030/1234567', ':28C:1/1', ':60F:C260301EUR1000,00',
  ':61:2603020302C50,00NTRFNONREF//B1', ':86:Fee',
  ':61:2603030303RC50,00NTRFNONREF//B2', ':86:Booked in error',
  ':62F:C260303EUR1000,00', '-', '',
].join('\r\n');
const [first] = new mt940js.Parser().parse(statement);
const [second] = await mt940.read(Buffer.from(statement));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const firstAmounts = first.transactions.map((line) => line.amount);
const secondAmounts = second.transactions.map((line) => (line.isCredit ? line.amount : -line.amount));
console.log('mt940js ', firstAmounts.join(' '), '-> opening + lines =', first.openingBalance + sum(firstAmounts), 'closing', first.closingBalance);
console.log('mt940-js', secondAmounts.join(' '), '-> opening + lines =', second.openingBalance.value + sum(secondAmounts), 'closing', second.closingBalance.value);
console.log('mt940-js names a reversal:', JSON.stringify(second.transactions[1]).toLowerCase().includes('revers'));
JS
seen <<'TEXT'
mt940js  50 -50 -> opening + lines = 1000 closing 1000
mt940-js 50 50 -> opening + lines = 1100 closing 1000
mt940-js names a reversal: false
TEXT
