#!/bin/sh
# Guess:  a checker of national identity numbers accepts what the register issues.
# So is:  Finland has new signs for the century since 2023 (B to F beside A, Y to U beside the hyphen), as the old numbers
#         run out; validator refuses them, finnish-ssn does not. Denmark issues numbers without a check digit since 2007;
#         danish-ssn demands one.
# Schools: of all people it is the children born lately, and those who moved there, whose number is refused at enrolment.
# The Finnish numbers are of the series 900 to 999, which is for tests; the Danish ones of people born in 2035.
. "$(dirname "$0")/lib.sh"

install validator@13.15.35 finnish-ssn@2.1.2 danish-ssn@2.1.1
run <<'JS'
import validator from 'validator';
import { FinnishSSN } from 'finnish-ssn';
import danish from 'danish-ssn';
for (const number of ['010516A903X', '010516B903X', '020516C903K', '010501E9032', '010594Y9032']) {
  console.log(`Finland ${number}: validator ${validator.isIdentityCard(number, 'FI')}, finnish-ssn ${FinnishSSN.validate(number)}`);
}
const remainder = (number) => [...number].reduce((sum, digit, place) => sum + digit * [4, 3, 2, 7, 6, 5, 4, 3, 2, 1][place], 0) % 11;
const numbers = Array.from({ length: 22 }, (_, index) => String(101354000 + index).padStart(10, '0'));
const accepted = (list) => `${list.filter((number) => danish.isValid(number)).length} of ${list.length}`;
console.log('Denmark with a check digit: danish-ssn accepts', accepted(numbers.filter((number) => remainder(number) === 0)));
console.log('Denmark without one: danish-ssn accepts', accepted(numbers.filter((number) => remainder(number) !== 0)));
JS
seen <<'TEXT'
Finland 010516A903X: validator true, finnish-ssn true
Finland 010516B903X: validator false, finnish-ssn true
Finland 020516C903K: validator false, finnish-ssn true
Finland 010501E9032: validator false, finnish-ssn true
Finland 010594Y9032: validator false, finnish-ssn true
Denmark with a check digit: danish-ssn accepts 2 of 2
Denmark without one: danish-ssn accepts 0 of 20
TEXT
