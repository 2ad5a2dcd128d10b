#!/bin/sh
# Guess:  a maker of RF references (ISO 11649) refuses an invoice number that cannot be one, or makes one that is valid.
# So is:  iso-11649 drops what is not a letter or digit, so that the invoices 2026-1-11 and 2026-11-1 have one reference.
#         node-iso11649 keeps it and makes a reference that its own validate refuses, also of one that is too long.
# Schools: two families pay with the same reference, or a bank refuses the transfer.
. "$(dirname "$0")/lib.sh"

install iso-11649@1.0.1 node-iso11649@2.1.2
run <<'JS'
import iso11649 from 'iso-11649';
import nodeIso11649 from 'node-iso11649';
for (const invoice of ['2026-1-11', '2026-11-1', 'MÜ17', 'M17']) {
  const other = nodeIso11649.generate(invoice);
  console.log(`${invoice}: iso-11649 ${iso11649.generate(invoice)}, node-iso11649 ${other} valid ${nodeIso11649.validate(other)}`);
}
const long = nodeIso11649.generate('2026000000000000000001');
console.log(`of 22 digits: node-iso11649 ${long} valid ${nodeIso11649.validate(long)}`);
JS
seen <<'TEXT'
2026-1-11: iso-11649 RF972026111, node-iso11649 RF972026-1-11 valid false
2026-11-1: iso-11649 RF972026111, node-iso11649 RF972026-11-1 valid false
MÜ17: iso-11649 RF91M17, node-iso11649 RF91MÜ17 valid false
M17: iso-11649 RF91M17, node-iso11649 RF91M17 valid true
of 22 digits: node-iso11649 RF262026000000000000000001 valid false
TEXT
