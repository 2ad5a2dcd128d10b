#!/bin/sh
# Guess:  a writer of Finnish bank barcodes turns 1.15 euros into 115 cents; the symbol has always 54 digits.
# So is:  finnish-bank-utils multiplies as a float. Of the amounts from 0.01 to 99.99 a good part come out a cent less or
#         with a point inside, and the symbol then has more than 54 characters or another amount.
# Schools: the barcode on a printed fee cannot be scanned, or a scanner that reads on takes a cent less.
. "$(dirname "$0")/lib.sh"

install finnish-bank-utils@1.3.3
run <<'JS'
import bank from 'finnish-bank-utils';
const symbol = (sum) => bank.formatFinnishVirtualBarCode({ iban: 'FI58 1017 1000 0001 22', sum, reference: '55958 22432 94671', date: '31.1.2027' });
console.log('482.99:', symbol(482.99));
console.log('1.15  :', symbol(1.15));
console.log('64.10 :', symbol(64.1));
let wrong = 0;
for (let cents = 1; cents < 10000; cents += 1) {
  const text = String(symbol(cents / 100));
  if (text.length !== 54 || Number(text.slice(17, 25)) !== cents) wrong += 1;
}
console.log('wrong of the 9999 amounts below 100 euros:', wrong);
JS
seen <<'TEXT'
482.99: 458101710000001220004829900000000559582243294671270131
1.15  : 4581017100000012200000114.99999999999998600000000559582243294671270131
64.10 : 458101710000001220000649.9999999999990900000000559582243294671270131
wrong of the 9999 amounts below 100 euros: 1146
TEXT
