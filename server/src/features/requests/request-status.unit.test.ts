import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestItemStatus } from '@matricula/contract'
import { itemStatus, type RequestFacts, requestStatus } from './request-status.ts'

const now = Date.parse('2026-02-01T08:00:00.000Z')

function getStatus(
  items: readonly (RequestItemStatus | `optional ${RequestItemStatus}`)[],
  other: Partial<RequestFacts> = {},
) {
  const facts = items.map((item) => {
    const args = item.split(' ')
    return { isRequired: args.length === 1, status: args.at(-1) as RequestItemStatus }
  })
  return requestStatus({ revokedAt: null, expiresAt: '2026-02-02T08:00:00.000Z', items: facts, ...other }, now)
}

test('a request is partially completed once a document is there, and completed when every required one is accepted', () => {
  assert.equal(getStatus(['pending', 'pending']), 'open')
  assert.equal(getStatus(['pending', 'rejected']), 'open')
  assert.equal(getStatus(['pending', 'uploaded']), 'partially_completed')
  assert.equal(getStatus(['accepted', 'pending']), 'partially_completed')
  assert.equal(getStatus(['uploaded', 'uploaded']), 'partially_completed')
  assert.equal(getStatus(['accepted', 'optional pending']), 'completed')
  assert.equal(getStatus(['pending', 'optional accepted']), 'partially_completed')
})

test('where nothing is required, every document must be accepted', () => {
  assert.equal(getStatus(['optional pending']), 'open')
  assert.equal(getStatus(['optional accepted', 'optional pending']), 'partially_completed')
  assert.equal(getStatus(['optional accepted', 'optional accepted']), 'completed')
})

test('a revocation comes before everything, completion before the clock, the clock at its very moment', () => {
  const expiresAt = '2026-02-01T08:00:00.000Z'
  assert.equal(getStatus(['accepted'], { revokedAt: expiresAt, expiresAt }), 'revoked')
  assert.equal(getStatus(['accepted'], { expiresAt }), 'completed')
  assert.equal(getStatus(['uploaded'], { expiresAt }), 'expired')
  assert.equal(getStatus(['uploaded'], { expiresAt: '2026-02-01T08:00:00.001Z' }), 'partially_completed')
})

test('an item follows its document; one that is no longer valid has to be handed in again', () => {
  assert.deepEqual(
    (['pending_upload', 'uploaded', 'in_review', 'approved', 'rejected', 'expired', 'archived'] as const).map(
      itemStatus,
    ),
    ['pending', 'uploaded', 'uploaded', 'accepted', 'rejected', 'pending', 'pending'],
  )
})
