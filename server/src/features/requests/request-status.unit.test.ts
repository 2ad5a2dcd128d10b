import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestItemStatus } from '@matricula/contract'
import { getItemStatus, getRequestStatus, type RequestFacts } from './request-status.ts'

const now = Date.parse('2026-02-01T08:00:00.000Z')

function getStatus(
  items: readonly (RequestItemStatus | `optional ${RequestItemStatus}`)[],
  other: Partial<RequestFacts> = {},
) {
  const facts = items.map((item) => {
    const args = item.split(' ')
    return { isRequired: args.length === 1, status: args.at(-1) as RequestItemStatus }
  })
  return getRequestStatus({ revokedAt: null, expiresAt: '2026-02-02T08:00:00.000Z', items: facts, ...other }, now)
}

test('request status: partially completed with a file, completed when every required one is accepted', () => {
  assert.equal(getStatus(['pending', 'pending']), 'open')
  assert.equal(getStatus(['pending', 'rejected']), 'open')
  assert.equal(getStatus(['pending', 'uploaded']), 'partially_completed')
  assert.equal(getStatus(['accepted', 'pending']), 'partially_completed')
  assert.equal(getStatus(['uploaded', 'uploaded']), 'partially_completed')
  assert.equal(getStatus(['accepted', 'optional pending']), 'completed')
  assert.equal(getStatus(['pending', 'optional accepted']), 'partially_completed')
})

test('request status: without required documents, every one must be accepted', () => {
  assert.equal(getStatus(['optional pending']), 'open')
  assert.equal(getStatus(['optional accepted', 'optional pending']), 'partially_completed')
  assert.equal(getStatus(['optional accepted', 'optional accepted']), 'completed')
})

test('request status: revoked before completed before expired, at the exact time', () => {
  const expiresAt = '2026-02-01T08:00:00.000Z'
  assert.equal(getStatus(['accepted'], { revokedAt: expiresAt, expiresAt }), 'revoked')
  assert.equal(getStatus(['accepted'], { expiresAt }), 'completed')
  assert.equal(getStatus(['uploaded'], { expiresAt }), 'expired')
  assert.equal(getStatus(['uploaded'], { expiresAt: '2026-02-01T08:00:00.001Z' }), 'partially_completed')
})

test('item status: follows the document; one that is no longer valid is pending again', () => {
  assert.deepEqual(
    (['pending_upload', 'uploaded', 'in_review', 'approved', 'rejected', 'expired', 'archived'] as const).map(
      getItemStatus,
    ),
    ['pending', 'uploaded', 'uploaded', 'accepted', 'rejected', 'pending', 'pending'],
  )
})
