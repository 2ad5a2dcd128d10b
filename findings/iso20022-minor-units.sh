#!/bin/sh
# Guess:  a parser of bank statements that answers amounts in minor units answers whole numbers, by the currency's own
#         number of decimals in ISO 4217.
# So is:  iso20022.js multiplies every amount by 100 as a float: 1.15 EUR is 114.99999999999999, 1500 yen (no decimals)
#         are 150000, and 12.345 Kuwaiti dinars (three decimals) are 1234.5.
# Schools: a paid fee is short of a fraction of a cent and stays open, and a school in Japan books a hundredfold.
. "$(dirname "$0")/lib.sh"

install iso20022.js@0.0.15
run <<'JS'
import { CashManagementEndOfDayReport } from 'iso20022.js';
const read = (amount, currency) => {
  const money = (value) => `<Amt Ccy="${currency}">${value}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
  const balance = (code) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(amount)}<Dt><Dt>2026-03-02</Dt></Dt></Bal>`;
  const report = CashManagementEndOfDayReport.fromXML(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-02T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>2026-03-02T20:00:00Z</CreDtTm>
<FrToDt><FrDtTm>2026-03-02T00:00:00Z</FrDtTm><ToDtTm>2026-03-02T23:59:59Z</ToDtTm></FrToDt>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>${currency}</Ccy><Svcr><FinInstnId><BIC>COBADEFFXXX</BIC></FinInstnId></Svcr></Acct>${balance('OPBD')}${balance('CLBD')}
<Ntry><NtryRef>1</NtryRef>${money(amount)}<Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><ValDt><Dt>2026-03-02</Dt></ValDt>
<AcctSvcrRef>B-1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>FEE-17</EndToEndId></Refs>${money(amount)}</TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>`);
  console.log(amount, currency, '->', report.statements[0].entries[0].amount);
};
read('100.00', 'EUR');
read('1.15', 'EUR');
read('19.99', 'EUR');
read('1500', 'JPY');
read('12.345', 'KWD');
JS
seen <<'TEXT'
100.00 EUR -> 10000
1.15 EUR -> 114.99999999999999
19.99 EUR -> 1998.9999999999998
1500 JPY -> 150000
12.345 KWD -> 1234.5
TEXT
