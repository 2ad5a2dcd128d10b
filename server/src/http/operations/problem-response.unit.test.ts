import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../../database/index.ts'
import { asProblem } from './problem-response.ts'

test('problems: an unavailable database is 503 with Retry-After', () => {
  const { status, headers, code, message } = asProblem(new DatabaseUnavailable('The line is full.', 7))
  assert.deepEqual(
    [status, code, headers['retry-after'], message],
    [503, 'service_unavailable', '7', 'The line is full.'],
  )
})

test('problems: an unexpected error exposes no internal details', () => {
  const { status, code, message } = asProblem(new Error('relation "students" does not exist'))
  assert.deepEqual([status, code], [500, 'internal_error'])
  assert.doesNotMatch(message, /students/)
})
