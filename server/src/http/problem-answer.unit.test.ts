import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asProblem } from './problem-answer.ts'

test('who lost against others at every try is told to send the request again, and when', () => {
  for (const code of ['40001', '40P01']) {
    const { status, headers, code: told } = asProblem(Object.assign(new Error('deadlock detected'), { code }))
    assert.deepEqual([status, told, headers['retry-after']], [503, 'service_unavailable', '1'])
  }
})

test('a failure that nobody foresaw tells nothing of its inside', () => {
  const { status, code, message } = asProblem(new Error('relation "students" does not exist'))
  assert.deepEqual([status, code], [500, 'internal_error'])
  assert.doesNotMatch(message, /students/)
})
