import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../errors/problem.ts'
import { Followers } from './send-feed.ts'

test('feed: 2 000 followers per tenant; the next gets Retry-After until one leaves', () => {
  const followers = new Followers()
  const ends = Array.from({ length: 2_000 }, () => new AbortController())
  for (const end of ends) followers.add('one', end.signal)
  const oneMore = () => followers.add('one', new AbortController().signal)
  assert.throws(
    oneMore,
    (error) =>
      error instanceof Problem && error.code === 'rate_limit_exceeded' && error.headers['retry-after'] === '30',
  )
  followers.add('other', new AbortController().signal)
  ends[0]?.abort()
  oneMore()
  assert.throws(oneMore, Problem)
})
