import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minWork } from '../../testing/fixtures/min-work.ts'
import { isMissing } from './field-values.ts'

const pieces = ['<', '>', '<p>', '</p>', '<img src=x>', '<IFRAME', '<hr>', '&nbsp;', '&NBSP;', ' ', '\n', ' ', 'a', 'b']

test('a text counts as not given when nothing of it is seen: elements that show nothing, and blanks', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      const seen = text.replace(/<(?!img|video|iframe|hr)[^>]*>|&nbsp;/gi, '').trim()
      assert.equal(isMissing(text), seen === '', JSON.stringify(text))
    }),
    { numRuns: 20_000 },
  )
})

test('whether a text is given is known in one reading of it, however it is made', async () => {
  const million = 1_000_000
  const max = 2_000_000
  for (const piece of ['<', '<<>', '< ', '<p>', '&nbsp;', ' ', '&', '<p', '<img', '><']) {
    const text = piece.repeat(million / piece.length)
    const work = await minWork(max, () => isMissing(text))
    assert.ok(work <= max, `${piece}: ${work / 1e6} s of work`)
  }
})
