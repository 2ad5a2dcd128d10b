#!/bin/sh
# Guess:  "Familia &amp; Cia" of a bank's OFX file is the payer Familia & Cia.
# So is:  node-ofx-parser answers "Familia &amp;amp;amp; Cia": it escapes what is escaped, twice. ofx-js and banking are right.
# Schools: no company or couple with an ampersand is matched to its account, and the receipt shows it.
. "$(dirname "$0")/lib.sh"

install node-ofx-parser@0.5.1 ofx-js@1.1.1 banking@1.2.0
run <<'JS'
import nodeOfx from 'node-ofx-parser';
import * as ofx from 'ofx-js';
import banking from 'banking';
const file = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>BRL
<BANKACCTFROM><BANKID>0001<ACCTID>000123<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260301<DTEND>20260302
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302<TRNAMT>50.00<FITID>0007<NAME>Familia &amp; Cia</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>100.00<DTASOF>20260302</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;
const name = ({ OFX }) => [OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST.STMTTRN].flat()[0].NAME;
console.log('node-ofx-parser:', name(nodeOfx.parse(file)));
console.log('ofx-js:         ', name(await ofx.parse(file)));
banking.parse(file, (read) => console.log('banking:        ', name(read.body)));
JS
seen <<'TEXT'
node-ofx-parser: Familia &amp;amp;amp; Cia
ofx-js:          Familia & Cia
banking:         Familia & Cia
TEXT
