import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@matricula/contract'
import type { Transaction } from '../../database/index.ts'
import type { CustomField } from '../../tenancy/custom-fields/index.ts'
import { instantIn, momentIn } from '../model/tenant-clock.ts'
import { loadCustomFieldsOfAnswers } from './client-values.ts'

function aField(name: string, fieldType: CustomField['fieldType'], more: Partial<CustomField> = {}): CustomField {
  return {
    id: name,
    recordType: 'Student Applicant',
    name,
    label: name,
    fieldType,
    options: [],
    target: null,
    insertAfter: null,
    default: null,
    description: null,
    precision: null,
    isRequired: false,
    isUnique: false,
    isReadOnly: false,
    isHidden: false,
    isInListView: false,
    isAllowedOnSubmit: false,
    isNotCopied: false,
    ...more,
  }
}

test('answers of a form become what the fields hold, and those that they could not hold are left out', async () => {
  const fields = [
    aField('born', 'Date'),
    aField('siblings', 'Int'),
    aField('height', 'Float'),
    aField('way', 'Duration'),
    aField('bus', 'Select', { options: ['', 'North'] }),
    aField('boarder', 'Check'),
    aField('motto', 'Data'),
  ]
  // Only links and unique fields are looked up.
  const tx = {} as Transaction
  const kept = (defined: CustomField[], answers: JsonObject) => {
    const customFields = new Map([['Student Applicant', { defined, removed: new Set<string>() }]])
    return loadCustomFieldsOfAnswers(tx, { timeZone: 'UTC', customFields }, 'Student Applicant', answers)
  }
  const answers = {
    born: '2012-02-29',
    siblings: '2',
    height: 1.6,
    bus: 'North',
    boarder: true,
    motto: 'x',
    way: '900',
  }
  assert.deepEqual(await kept(fields, answers), { ...answers, siblings: 2, way: 900 })
  const others = { born: 'soon', siblings: 'many', height: '', bus: 'South', boarder: 'x', motto: ['x'], unknown: 1 }
  assert.deepEqual(await kept(fields, others), {})
  assert.deepEqual(await kept(fields, { height: 'abc', way: 'Infinity', siblings: 'NaN' }), {})
  assert.deepEqual(await kept([], others), others)
})

test('a moment of a time zone and its stamp name each other, also around the changes of its clocks', () => {
  for (const timeZone of ['UTC', 'Europe/Madrid', 'America/Mexico_City', 'Asia/Kathmandu', 'Pacific/Apia']) {
    for (let hour = 0; hour < 48; hour += 1) {
      for (const day of ['2026-03-28', '2026-10-24', '2011-12-29']) {
        const stamp = new Date(Date.parse(`${day}T12:00:00.250Z`) + hour * 3_600_000)
        const local = momentIn(timeZone, stamp)
        // The second of two that clocks show alike reads as the first.
        assert.equal(momentIn(timeZone, new Date(instantIn(timeZone, local) ?? '')), local)
      }
    }
  }
  assert.equal(instantIn('Europe/Madrid', '2026-07-01 14:00:00'), '2026-07-01T12:00:00.000Z')
  assert.equal(instantIn('UTC', 'never'), null)
})
