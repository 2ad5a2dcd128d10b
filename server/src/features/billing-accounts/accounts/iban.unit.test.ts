import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../values/index.ts'
import { isCreditorReference, paymentReference } from './iban.ts'

test('payments that are made at once have creditor references of their own, of 21 digits with right check digits', () => {
  const references = Array.from({ length: 100_000 }, () => paymentReference(newId()))
  assert.equal(new Set(references).size, references.length)
  for (const reference of references.slice(0, 1000)) {
    assert.match(reference, /^RF\d{23}$/)
    assert.ok(isCreditorReference(reference))
  }
})
