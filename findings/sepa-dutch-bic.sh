#!/bin/sh
# Guess:  sepa-xml, which finds the BIC of an account by itself where none is given, finds it for that country or not at all.
# So is:  it looks up the four letters behind the check digits in a list of Dutch banks, whatever the country. A Romanian
#         account at a bank INGB gets the BIC of the Dutch INGB. An amount of 0.1 + 0.2 is written with 17 decimals,
#         beside a control sum that is rounded.
# Schools: the direct debit of a family abroad names a bank that does not have the account, and the bank refuses it.
. "$(dirname "$0")/lib.sh"

install sepa-xml@0.6.0
run <<'JS'
import SepaXML from 'sepa-xml';
const file = new SepaXML('pain.008.001.02');
file.setHeaderInfo({ messageId: 'M1', initiator: 'School' });
file.setPaymentInfo({
  when: new Date('2026-03-02T12:00:00Z'), id: 'P1', method: 'DD', creditorName: 'School', creditorIBAN: 'NL39RABO0300065264',
  creditorIdentifier: 'NL63ZZZ400123790000', batchBooking: false, bic: 'RABONL2U',
});
const debit = (iban, amount) => file.addTransaction({
  id: 'E1', amount, name: 'Family', iban, mandateId: 'X', mandateSignatureDate: '2025-09-01', description: 'Fee',
});
debit('RO21INGB0000999901234567', 10);
debit('DE89370400440532013000', 0.1 + 0.2);
file.compile((error, xml) => {
  const debits = xml.slice(xml.indexOf('<DrctDbtTxInf>'));
  console.log('BIC of the debtors:', debits.match(/<BIC>[^<]*/g).join(' '));
  console.log('amounts:', debits.match(/<InstdAmt[^<]*/g).join(' '), '- sum:', xml.match(/<CtrlSum>[^<]*/)[0]);
});
JS
seen <<'TEXT'
BIC of the debtors: <BIC>INGBNL2A
amounts: <InstdAmt Ccy="EUR">10 <InstdAmt Ccy="EUR">0.30000000000000004 - sum: <CtrlSum>10.30
TEXT
