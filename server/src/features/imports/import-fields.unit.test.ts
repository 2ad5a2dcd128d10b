import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnTitles } from '@matricula/contract'
import { findMojibake } from './files/encoding.ts'
import { foldHeading } from './import-fields.ts'
import { allImportKinds } from './kinds/index.ts'
import { SeenKeys } from './seen-keys.ts'

test('headings: every field has a title in three languages, and within a kind no two are called alike', () => {
  for (const { name, fields } of allImportKinds) {
    const seen = new Map<string, string>()
    for (const field of fields) {
      assert.ok(columnTitles[field.name] !== undefined, `${name}: ${field.name} has no titles`)
      for (const title of new Set([field.name, ...(columnTitles[field.name] ?? [])].map(foldHeading))) {
        assert.ok(
          !seen.has(title) || seen.get(title) === field.name,
          `${name}: ${title} is ${seen.get(title)} and ${field.name}`,
        )
        seen.set(title, field.name)
      }
    }
  }
})

test('mojibake: text that was read in a wrong encoding is told from text that only looks odd', () => {
  assert.equal(findMojibake('JosÃ©'), 'José')
  assert.equal(findMojibake('â‚¬'), '€')
  assert.equal(findMojibake('ï»¿externalId'), 'externalId')
  for (const text of ['José', 'SÃO PAULO', 'Ã', 'naïve', 'Ødegård', 'Čapek', '日本', 'ÂNGELA'])
    assert.equal(findMojibake(text), null)
})

test('keys: each is found with the line that it stood in first, however many there are', () => {
  const seen = new SeenKeys()
  for (let line = 1; line <= 20_000; line += 1) assert.equal(seen.add(`K${line}`, line), null)
  for (let line = 1; line <= 20_000; line += 1) assert.equal(seen.add(`K${line}`, 1), line)
})
