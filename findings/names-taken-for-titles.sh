#!/bin/sh
# Guess:  a splitter of names that is unsure puts a word into the first, middle or last name.
# So is:  another-name-parser keeps lists of titles and suffixes that are names too: An and Major are titles to it, Do, Vi
#         and V. suffixes, wherever they stand. Such a person has no last name or no first name, and the middle name is the
#         last. parse-full-name takes the whole of Di Wu for a last name. None says that it is unsure.
# Schools: pupils from Vietnam lose a part of their name in an import, and are not found again by the other part.
. "$(dirname "$0")/lib.sh"

install another-name-parser@0.1.0 parse-full-name@1.2.7 humanparser@2.7.0
run <<'JS'
import parse from 'another-name-parser';
import fullName from 'parse-full-name';
import human from 'humanparser';
const show = (parts) => Object.entries(parts).filter(([, value]) => value).map(([name, value]) => `${name} ${value}`).join(', ');
for (const name of ['Nguyen Thi Minh An', 'Kim Do', 'Vi Tran', 'Major Lee', 'Ana V. Silva', 'Di Wu']) {
  const { prefix, first, middle, last, suffix } = parse(name);
  const second = fullName.parseFullName(name);
  const third = human.parseName(name);
  console.log(name);
  console.log('  another-name-parser:', show({ prefix, first, middle, last, suffix }));
  console.log('  parse-full-name:    ', show({ first: second.first, middle: second.middle, last: second.last, suffix: second.suffix }));
  console.log('  humanparser:        ', show({ first: third.firstName, middle: third.middleName, last: third.lastName, suffix: third.suffix }));
}
JS
seen <<'TEXT'
Nguyen Thi Minh An
  another-name-parser: prefix An, first Nguyen, middle Thi, last Minh
  parse-full-name:     first Nguyen, middle Thi Minh, last An
  humanparser:         first Nguyen, middle Thi Minh, last An
Kim Do
  another-name-parser: first Kim, suffix Do
  parse-full-name:     first Kim, last Do
  humanparser:         first Kim, last Do
Vi Tran
  another-name-parser: first Tran, suffix Vi
  parse-full-name:     first Vi, last Tran
  humanparser:         first Vi, last Tran
Major Lee
  another-name-parser: prefix Major, first Lee
  parse-full-name:     first Major, last Lee
  humanparser:         first Major, last Lee
Ana V. Silva
  another-name-parser: first Ana, last Silva, suffix V.
  parse-full-name:     first Ana, middle V., last Silva
  humanparser:         first Ana, middle V., last Silva
Di Wu
  another-name-parser: first Di, last Wu
  parse-full-name:     last Di Wu
  humanparser:         first Di, last Wu
TEXT
