import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedDocuments, getLacking } from './lacking.ts'

const profiles = [
  { id: 'a', name: 'Admission' },
  { id: 'b', name: 'Boarding' },
]
const asked = (profileId: string, documentTypeId: string, status: string, isRequired = true) => ({
  requirementId: `${profileId} ${documentTypeId}`,
  profileId,
  documentTypeId,
  label: `Paper ${documentTypeId}`,
  isRequired,
  status,
  rejectionReason: null,
})

test('a document that two profiles ask for is listed once, with both, as the one that is less content has it', () => {
  const requirements = [asked('a', '1', 'satisfied', false), asked('a', '2', 'waived'), asked('b', '1', 'missing')]
  assert.deepEqual(
    askedDocuments({ profiles, requirements }).map(({ label, status, isRequired, askedBy }) => [
      label,
      status,
      isRequired,
      askedBy,
    ]),
    [
      ['Paper 1', 'missing', true, ['Admission', 'Boarding']],
      ['Paper 2', 'waived', true, ['Admission']],
    ],
  )
})

test('what an application lacks names each document once', () => {
  const requirements = [asked('a', '1', 'missing'), asked('b', '1', 'missing'), asked('b', '2', 'rejected', false)]
  assert.equal(getLacking({ profiles, requirements }), 'Paper 1')
})
