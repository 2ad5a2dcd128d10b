#!/bin/sh
# Guess:  a maker of EPC payment codes leaves out what is optional and was not given, and encodes what it declares.
# So is:  girocode of iban-qr-code fills the BIC, which version 002 does not need, and the purpose with sample values: a
#         bank DEZZZYYYXXX and "Testsubject". It declares the character set 2 (ISO 8859-1), but answers a string, which a
#         QR package encodes in UTF-8, so that a banking app that believes the declaration shows another name.
# Schools: the transfer of a family is sent to a bank that does not exist, or to a school named MÃ¼hlenschule.
. "$(dirname "$0")/lib.sh"

install iban-qr-code@1.0.0 qrcode@1.5.4 jsqr@1.4.0
run <<'JS'
import { girocode } from 'iban-qr-code';
import QRCode from 'qrcode';
import jsQR from 'jsqr';
const text = girocode({ version: '002', name: 'Mühlenschule', iban: 'DE89370400440532013000', amount: '120.00' });
console.log(JSON.stringify(text));

const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
const scale = 4, margin = 16, size = modules.size * scale + 2 * margin;
const picture = new Uint8ClampedArray(size * size * 4).fill(255);
for (let y = 0; y < modules.size * scale; y += 1) {
  for (let x = 0; x < modules.size * scale; x += 1) {
    if (modules.get(Math.floor(y / scale), Math.floor(x / scale))) picture.fill(0, ((y + margin) * size + x + margin) * 4, ((y + margin) * size + x + margin) * 4 + 3);
  }
}
const bytes = Buffer.from(jsQR(picture, size, size).binaryData);
const lines = bytes.toString('latin1').split('\n');
console.log('character set:', lines[2], '(ISO 8859-1) - name by it:', lines[5], '- name as UTF-8:', bytes.toString('utf8').split('\n')[5]);
JS
seen <<'TEXT'
"BCD\n002\n2\nSCT\nDEZZZYYYXXX\nMühlenschule\nDE89370400440532013000\nEUR120.00\n\n\nTestsubject\n"
character set: 2 (ISO 8859-1) - name by it: MÃ¼hlenschule - name as UTF-8: Mühlenschule
TEXT
