#!/bin/sh
# Guess:  an IBAN that the registry of ISO 13616 gives as its own example is an IBAN to every checker.
# So is:  iban and validator know the countries of about 2020: the examples of Burundi, Djibouti, the Falklands, Honduras,
#         Mongolia, Nicaragua, Oman, Somalia and Yemen are false to both, of Belarus to validator. ibantools and fast-iban
#         have them. ibantools in turn does not know who joined SEPA: Albania, Montenegro, North Macedonia, Moldova (2025)
#         and Serbia (2026) are no SEPA countries to isSEPACountry.
# Schools: a family, or a partner school abroad, with a real account is told that its IBAN is wrong, or is asked for a dear
#         transfer where a SEPA one would do.
. "$(dirname "$0")/lib.sh"

install iban@0.0.14 validator@13.15.35 ibantools@4.5.4 fast-iban@1.2.0
run <<'JS'
import iban from 'iban';
import validator from 'validator';
import { isSEPACountry, isValidIBAN } from 'ibantools';
import fastIban from 'fast-iban';
const examples = {
  Germany: 'DE89370400440532013000', Burundi: 'BI4210000100010000332045181', Djibouti: 'DJ2100010000000154000100186',
  Falklands: 'FK88SC123456789012', Honduras: 'HN88CABF00000000000250005469', Mongolia: 'MN121234123456789123',
  Nicaragua: 'NI45BAPR00000013000003558124', Oman: 'OM810180000001299123456', Somalia: 'SO211000001001000100141',
  Yemen: 'YE15CBYE0001018861234567891234', Belarus: 'BY13NBRB3600900000002Z00AB00',
};
for (const [country, example] of Object.entries(examples)) {
  console.log(`${country}: iban ${iban.isValid(example)}, validator ${validator.isIBAN(example)}, ibantools ${isValidIBAN(example)}, fast-iban ${fastIban.validateIBAN(example)}`);
}
console.log('SEPA by ibantools:', ['DE', 'VA', 'GB', 'AL', 'ME', 'MK', 'MD', 'RS'].map((country) => `${country} ${isSEPACountry(country)}`).join(', '));
JS
seen <<'TEXT'
Germany: iban true, validator true, ibantools true, fast-iban true
Burundi: iban false, validator false, ibantools true, fast-iban true
Djibouti: iban false, validator false, ibantools true, fast-iban true
Falklands: iban false, validator false, ibantools true, fast-iban true
Honduras: iban false, validator false, ibantools true, fast-iban true
Mongolia: iban false, validator false, ibantools true, fast-iban true
Nicaragua: iban false, validator false, ibantools true, fast-iban true
Oman: iban false, validator false, ibantools true, fast-iban true
Somalia: iban false, validator false, ibantools true, fast-iban true
Yemen: iban false, validator false, ibantools true, fast-iban true
Belarus: iban true, validator false, ibantools true, fast-iban true
SEPA by ibantools: DE true, VA true, GB true, AL false, ME false, MK false, MD false, RS false
TEXT
