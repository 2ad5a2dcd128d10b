#!/bin/sh
# Guess:  the leading 0 of a national number is dropped in the international form, and a package that answers isValid has
#         made a number that rings.
# So is:  in Italy the 0 belongs to the number. phone drops it and answers isValid: true; libphonenumber keeps it
#         and calls what phone made invalid. Its option validateMobilePrefix: false is meant for landlines.
# Schools: the number of a parent or of the school's office is stored as one that nobody can call in an emergency.
. "$(dirname "$0")/lib.sh"

install phone@3.1.72 google-libphonenumber@3.2.47
run <<'JS'
import { phone } from 'phone';
import library from 'google-libphonenumber';
const { PhoneNumberFormat, PhoneNumberUtil } = library;
const util = PhoneNumberUtil.getInstance();
for (const [number, country] of [['02 2345 6789', 'IT'], ['06 698 12345', 'IT'], ['01 42 68 53 00', 'FR']]) {
  const made = phone(number, { country, validateMobilePrefix: false });
  const right = util.format(util.parse(number, country), PhoneNumberFormat.E164);
  const rings = util.isValidNumber(util.parse(made.phoneNumber));
  console.log(`${country} ${number}: phone ${made.phoneNumber} isValid ${made.isValid}, libphonenumber ${right}, phone's is valid there: ${rings}`);
}
JS
seen <<'TEXT'
IT 02 2345 6789: phone +39223456789 isValid true, libphonenumber +390223456789, phone's is valid there: false
IT 06 698 12345: phone +39669812345 isValid true, libphonenumber +390669812345, phone's is valid there: false
FR 01 42 68 53 00: phone +33142685300 isValid true, libphonenumber +33142685300, phone's is valid there: true
TEXT
