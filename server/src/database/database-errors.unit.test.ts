import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { asDatabaseError, DatabaseUnavailable } from './database-errors.ts'

function refusedWith(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('the values of somebody', 0, 'error'), { code })
}

test('what the state of the database forbids is unavailable, says when to come again, and quotes nothing', () => {
  const states = ['08006', '25006', '25P03', '40001', '40P01', '53000', '53100', '53200', '53300', '55P03', '57014']
  for (const code of [...states, '57P01', '57P02', '57P03', '58000', '58030']) {
    const error = asDatabaseError(refusedWith(code))
    assert.ok(error instanceof DatabaseUnavailable, code)
    assert.ok(error.retryAfterSeconds >= 1, code)
    assert.equal(error.code, code)
    assert.doesNotMatch(error.message, /somebody/)
  }
})

test('what a statement asked wrongly stays as it is', () => {
  for (const code of ['22P02', '23505', '23503', '25P02', '42P01', '54000', '57000', 'P0001', 'XX000']) {
    const error = refusedWith(code)
    assert.equal(asDatabaseError(error), error)
  }
})
