import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minWork } from '../testing/fixtures/min-work.ts'
import { foldedNames } from './folded-names.fixture.ts'
import { normalForm } from './normal-form.ts'
import { foldForSearch } from './search-text.ts'

test('a text is put into a normal form, and the marks of every language with it', () => {
  assert.equal(normalForm('José', 'NFC'), 'José')
  assert.equal(normalForm('Việt', 'NFC'), 'Việt')
  assert.equal(normalForm('ﬁ', 'NFKC'), 'fi')
})

test('a text with more marks in a row than any language has costs one reading of it', async () => {
  const text = `a${'\u0315'.repeat(100_000)}${'\u0300'.repeat(100_000)}`
  const max = 2_000_000
  const work = await minWork(max, () => {
    assert.equal(normalForm(text, 'NFC'), text)
    assert.equal(foldForSearch(text), 'a')
  })
  assert.ok(work <= max, `${work / 1e6} s of work`)
})

test('what is searched has no accents and no capitals', () => {
  for (const [said, folded] of foldedNames) assert.equal(foldForSearch(said), folded, said)
})
