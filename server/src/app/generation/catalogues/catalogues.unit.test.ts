import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { flatten, readCatalogue, root } from './catalogue.ts'
import { templates } from './literal.ts'
import { parseMessage, pluralCategories, toExpression } from './message.ts'

/** The folders of catalogues, with the languages that each of their surfaces has. */
const folders = { 'console/messages': ['en', 'es', 'pt'], 'pages/messages': ['en', 'es', 'fr', 'pt'] }
/** Surfaces without an English file, because English shows what the service or the declarations say. */
const translatedOnly = new Set(['console/messages/errors', 'console/messages/purposes'])

/** The languages of each surface's files, by the path of the surface. */
const surfaces = new Map<string, readonly string[]>()
for (const folder of Object.keys(folders)) {
  for (const file of readdirSync(new URL(`${folder}/`, root)).sort()) {
    const [surface = '', language = ''] = file.split('.')
    const path = `${folder}/${surface}`
    surfaces.set(path, [...(surfaces.get(path) ?? []), language])
  }
}

test('every surface has a file for each language of its folder', () => {
  for (const [folder, languages] of Object.entries(folders)) {
    for (const [path, found] of [...surfaces].filter(([each]) => each.startsWith(folder))) {
      const expected = languages.filter((language) => language !== 'en' || !translatedOnly.has(path))
      assert.deepEqual(found, expected, path)
    }
  }
})

for (const [path, languages] of surfaces) {
  const source = languages.includes('en') ? 'en' : 'es'
  const english = new Map(flatten(readCatalogue(path, source)))
  for (const language of languages) {
    test(`${path} in ${language} has the keys of its source, and gives each message the same arguments`, () => {
      const messages = flatten(readCatalogue(path, language))
      assert.deepEqual(messages.map(([key]) => key).sort(), [...english.keys()].sort())
      const required = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
      for (const [key, text] of messages) {
        assert.notEqual(text.trim(), '', key)
        const message = parseMessage(text)
        const same = parseMessage(english.get(key) ?? '')
        assert.deepEqual(
          [...message.arguments].sort(([a], [b]) => a.localeCompare(b)),
          [...same.arguments].sort(([a], [b]) => a.localeCompare(b)),
          `${language} ${key}`,
        )
        for (const categories of pluralCategories(message)) assert.deepEqual(categories.toSorted(), required, key)
      }
    })
  }
}

test('a message that the place of use fills in is one of a catalogue', () => {
  for (const [surface, keys] of Object.entries(templates)) {
    const path = [...surfaces.keys()].find((each) => each.endsWith(`/${surface}`)) ?? ''
    const known = flatten(readCatalogue(path, 'en')).map(([key]) => key)
    for (const key of keys)
      assert.ok(
        known.some((each) => each === key || each.startsWith(`${key}.`)),
        key,
      )
  }
})

test('a plural becomes a choice of forms, and arguments keep the order of the English message', () => {
  const english = parseMessage('{who} has {count, plural, one {# record} other {# records}}')
  assert.equal(
    toExpression(parseMessage('{count, number} de {who}'), english.arguments),
    '(who: string, count: number) => `${number.format(count)} de ${who}`',
  )
  const length = parseMessage('{min, number, ::group-off} letters')
  assert.equal(toExpression(length, length.arguments), '(min: number) => `${ungrouped.format(min)} letters`')
  assert.throws(() => parseMessage('{day, date, short}'), /Only/)
  assert.throws(() => parseMessage('{share, number, percent}'), /Only/)
  assert.throws(() => parseMessage('{count, plural, one {#}}'))
  assert.equal(toExpression(parseMessage('a ` and $'), new Map()), '"a ` and $"')
})
