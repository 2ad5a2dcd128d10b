import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRetiredWords, readModules, retiredIdentifiers, retiredTexts, splitModule } from './retired-words.ts'

test('retired words: a module is split into its identifiers and its texts, without comments', () => {
  const { identifiers, texts } = splitModule("// sweep\nconst lastSweep = /a'b/.test('a sweep') /* door */")
  assert.deepEqual(identifiers, ['const', 'lastSweep', 'test'])
  assert.deepEqual(texts, ['a sweep'])
})

test('retired words: none is used more often than its limit allows, in identifiers and in texts of screens', (t) => {
  const modules = readModules()
  assert.ok(modules.length > 500)
  const found = findRetiredWords(modules)
  const limits = [
    ...Object.entries(retiredIdentifiers),
    ...Object.entries(retiredTexts).map(([word, retired]) => [`text ${word}`, retired] as const),
  ]
  const exceeded: string[] = []
  for (const [word, { max, instead }] of limits) {
    const uses = found.get(word) ?? []
    if (uses.length > max) {
      const where = uses.slice(-20).join('\n')
      exceeded.push(`${word}: ${uses.length} uses, at most ${max}; write ${instead}\n${where}`)
    }
    if (uses.length < max) t.diagnostic(`${word}: ${uses.length} uses are left, the limit can be lowered from ${max}`)
  }
  assert.deepEqual(exceeded, [])
})
