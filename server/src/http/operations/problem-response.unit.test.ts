import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../../database/index.ts'
import { asProblem } from './problem-response.ts'

test('what the database does not do now is 503, and says when to send the request again', () => {
  const { status, headers, code, message } = asProblem(new DatabaseUnavailable('The line is full.', 7))
  assert.deepEqual(
    [status, code, headers['retry-after'], message],
    [503, 'service_unavailable', '7', 'The line is full.'],
  )
})

test('a failure that nobody foresaw tells nothing of its inside', () => {
  const { status, code, message } = asProblem(new Error('relation "students" does not exist'))
  assert.deepEqual([status, code], [500, 'internal_error'])
  assert.doesNotMatch(message, /students/)
})
