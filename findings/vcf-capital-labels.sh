#!/bin/sh
# Guess:  a card that is read as vCard 4.0 and written as 3.0 keeps its texts, and a value that is read is free of escapes.
# So is:  vcf writes all parameters of 3.0 in capitals, also the text of a LABEL, with its \n as \N; and the value
#         that it answers still has the backslashes of the file.
# Schools: the printed address of a family comes back in capitals, and a note with a comma shows a backslash.
. "$(dirname "$0")/lib.sh"

install vcf@2.1.2 vcard4@4.0.5
run <<'JS'
import vCard from 'vcf';
import { parse } from 'vcard4';
const text = [
  'BEGIN:VCARD', 'VERSION:4.0', 'FN:Aiko Tanaka', 'N:Tanaka;Aiko;;;',
  'ADR;TYPE=home;LABEL="Schulstr. 1\\nBerlin":;;Schulstr. 1\\, Hof;Berlin;;10115;Germany',
  'NOTE;LANGUAGE=de:Großvater holt ab\\, nur montags', 'END:VCARD', '',
].join('\r\n');
const card = new vCard().parse(text);
console.log('note by vcf:   ', card.get('note').valueOf());
console.log('note by vcard4:', parse(text).getProperty('NOTE')[0].value);
console.log(card.toString('3.0').replaceAll('\r\n ', '').match(/^(ADR|NOTE).*$/gm).map((line) => line.trim()).join('\n'));
JS
seen <<'TEXT'
note by vcf:    Großvater holt ab\, nur montags
note by vcard4: Großvater holt ab, nur montags
ADR;TYPE=HOME;LABEL="SCHULSTR. 1\NBERLIN":;;Schulstr. 1\, Hof;Berlin;;10115;Germany
NOTE;LANGUAGE=DE:Großvater holt ab\, nur montags
TEXT
