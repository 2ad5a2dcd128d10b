#!/bin/sh
# Guess:  a parser of camt.053 tells a booking from its reversal, and keeps the payer's reference as it stands.
# So is:  iso20022.js answers reversal: false for an entry with RvslInd true, leaves out the structured reference and the
#         end-to-end id, and turns a free text of digits into a number, so that 0049 becomes 49.
# Schools: a bounced direct debit is a plain payment out, and none of the lines can be matched to a fee by its reference.
. "$(dirname "$0")/lib.sh"

install iso20022.js@0.0.15
run <<'JS'
import { CashManagementEndOfDayReport } from 'iso20022.js';
const balance = (code, amount) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>
  <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>`;
const entry = (indicator, reversal, remittance) => `<Ntry><NtryRef>1</NtryRef><Amt Ccy="EUR">50.00</Amt>
  <CdtDbtInd>${indicator}</CdtDbtInd>${reversal}<Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>
  <ValDt><Dt>2026-03-02</Dt></ValDt><AcctSvcrRef>B-1</AcctSvcrRef>
  <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
  <NtryDtls><TxDtls><Refs><EndToEndId>FEE-17</EndToEndId></Refs><Amt Ccy="EUR">50.00</Amt><CdtDbtInd>${indicator}</CdtDbtInd>
  <RmtInf>${remittance}</RmtInf></TxDtls></NtryDtls></Ntry>`;
const structured = `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>RF18539007547034</Ref></CdtrRefInf></Strd>`;
const report = CashManagementEndOfDayReport.fromXML(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-02T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>2026-03-02T20:00:00Z</CreDtTm>
<FrToDt><FrDtTm>2026-03-02T00:00:00Z</FrDtTm><ToDtTm>2026-03-02T23:59:59Z</ToDtTm></FrToDt>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy><Svcr><FinInstnId><BIC>COBADEFFXXX</BIC></FinInstnId></Svcr></Acct>${balance('OPBD', '1000.00')}${balance('CLBD', '1050.00')}
${entry('CRDT', '', structured)}
${entry('DBIT', '<RvslInd>true</RvslInd>', structured)}
${entry('CRDT', '', '<Ustrd>0049</Ustrd>')}
</Stmt></BkToCstmrStmt></Document>`);
const [received, reversed, text] = report.statements[0].entries;
console.log('reversal of the entry with RvslInd true:', reversed.reversal);
const whole = JSON.stringify(received);
console.log('structured reference kept:', whole.includes('RF18'), '- end-to-end id kept:', whole.includes('FEE-17'));
console.log('free text 0049:', JSON.stringify(text.transactions[0].remittanceInformation));
JS
seen <<'TEXT'
reversal of the entry with RvslInd true: false
structured reference kept: false - end-to-end id kept: false
free text 0049: 49
TEXT
