import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minWork } from '../../../testing/fixtures/min-work.ts'
import { findPatternError, matchesPattern } from './answer-pattern.ts'

test('answer patterns: codes and numbers are accepted, and match the whole answer', () => {
  for (const [pattern, right, wrong] of [
    ['[A-Z]{4}\\d{6}[HM][A-Z]{5}[A-Z\\d]\\d', 'GOMC960917MDFRRS08', 'gomc'],
    ['\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}', '111.444.777-35', '11144477735'],
    ['(?:19|20)\\d\\d', '1999', '1899'],
    ['[\\p{L} ]+', 'Ñandú', 'R2'],
    ['(?<year>\\d{4})-?\\w*', '2026-a', '26'],
    ['[)(\\]|*]+x?', '(]*', 'y)'],
    ['\\u{1F600}?\\d+', '😀1', '😀'],
    ['', '', 'x'],
  ] as const) {
    assert.equal(findPatternError(pattern, 255), null, pattern)
    assert.ok(matchesPattern(pattern, right), pattern)
    assert.ok(!matchesPattern(pattern, wrong), pattern)
  }
})

test('answer patterns: lookaround, back-references and exponential matching are rejected with advice', () => {
  for (const [pattern, reason] of [
    ['(a+)+', /too long/],
    ['(a|a)*', /too long/],
    ['(a*)*b', /too long/],
    ['(?:a?){40}', /too long/],
    ['a*a*a*a*', /too long/],
    [
      '(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)(?:a|b)',
      /too long/,
    ],
    ['(?=a)a', /look/],
    ['(?<!a)b', /look/],
    ['(a)\\1', /refer back/],
    ['(?<x>a)\\k<x>', /refer back/],
    ['[a', /regular expression/],
    ['a{2,1}', /regular expression/],
  ] as const) {
    assert.match(findPatternError(pattern, 255) ?? '', reason, pattern)
  }
  assert.equal(findPatternError('a*a*a*', 30), null)
  assert.equal(findPatternError('[(?=]\\\\1', 255), null)
})

const anyPattern = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', '[ab]', '.', '\\w', '\\\\', '\\u{61}', '[^b]'),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
  ),
  pattern: fc
    .array(
      fc
        .tuple(tie('part'), fc.constantFrom('', '*', '+', '?', '{2}', '{0,9}', '{3,}', '*?', '{1,40}'))
        .map((parts) => parts.join('')),
      { minLength: 1, maxLength: 5 },
    )
    .chain((sequence) => fc.constantFrom(sequence.join(''), sequence.join('|'))),
})).pattern

test('answer patterns: an accepted pattern never blocks the process, whatever the answer', async () => {
  const max = 2_000_000
  await fc.assert(
    fc.asyncProperty(anyPattern, fc.constantFrom('a', 'ab', 'aab'), async (pattern, unit) => {
      fc.pre(findPatternError(pattern, 255) === null)
      const response = `${unit.repeat(300).slice(0, 254)}!`
      const work = await minWork(max, () => matchesPattern(pattern, response))
      assert.ok(work <= max, `${pattern} takes ${work / 1e6} s of work`)
    }),
    { numRuns: 300 },
  )
})
