#!/bin/sh
# Guess:  parsers of mail agree on who the recipients are and what a file is called.
# So is:  letterparser does not know groups (RFC 5322 3.4: "Class 5a: one@…, two@…;"): the first address of a class becomes
#         one with the class in it. It does not know names in parts (RFC 2231) either: the attachment of a parent with an
#         umlaut has no name. mailparser and postal-mime know both.
# Schools: the answer to all parents of a class does not reach the first of them, and a sick note is stored without a name.
. "$(dirname "$0")/lib.sh"

install letterparser@0.1.8 mailparser@3.14.2 postal-mime@4.0.0
run <<'JS'
import { extract } from 'letterparser';
import mailparser from 'mailparser';
import PostalMime from 'postal-mime';
const letter = [
  'From: Anna <anna@example.org>', 'To: Class 5a: one@example.org, two@example.org;, office@example.org',
  'Subject: Ill', 'Date: Mon, 2 Mar 2026 08:15:00 +0100', 'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="x"', '', '--x', 'Content-Type: text/plain', '', 'See the note.', '--x',
  'Content-Type: application/pdf', "Content-Disposition: attachment; filename*0*=utf-8''Sick%20note%20of%20; filename*1*=M%C3%BCller.pdf",
  'Content-Transfer-Encoding: base64', '', 'JVBERi0=', '--x--', '',
].join('\r\n');
const flat = (list) => list.flatMap((one) => (one.group ? one.group : [one])).map(({ address }) => address).join(' | ');
const first = extract(letter);
console.log('letterparser:', flat(first.to), '- file:', first.attachments[0].filename);
const second = await mailparser.simpleParser(letter);
console.log('mailparser:  ', flat(second.to.value), '- file:', second.attachments[0].filename);
const third = await new PostalMime().parse(letter);
console.log('postal-mime: ', flat(third.to), '- file:', third.attachments[0].filename);
JS
seen <<'TEXT'
letterparser: Class 5a: one@example.org | two@example.org; | office@example.org - file: undefined
mailparser:   one@example.org | two@example.org | office@example.org - file: Sick note of Müller.pdf
postal-mime:  one@example.org | two@example.org | office@example.org - file: Sick note of Müller.pdf
TEXT
