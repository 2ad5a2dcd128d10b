import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { flatten, readCatalogue, root } from './catalogue.ts'
import { parseMessage, pluralCategories, toExpression } from './message.ts'
import { templates } from './modules.ts'

const files = readdirSync(new URL('console/messages/', root))
const surfaces = new Set(files.map((file) => file.split('.')[0] ?? ''))

for (const surface of surfaces) {
  const path = `console/messages/${surface}`
  const languages = files.filter((file) => file.startsWith(`${surface}.`)).map((file) => file.split('.')[1] ?? '')
  // Errors are shown in English as the service words them; purposes as the declarations do.
  const source = languages.includes('en') ? 'en' : 'es'
  const english = new Map(flatten(readCatalogue(path, source)))
  for (const language of languages) {
    test(`${surface} in ${language} has the keys of its source, and gives each message the same arguments`, () => {
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
    const known = new Map(flatten(readCatalogue(`console/messages/${surface}`, 'en')))
    for (const key of keys) assert.ok(known.has(key), key)
  }
})

test('a plural becomes a choice of forms, and arguments keep the order of the English message', () => {
  const english = parseMessage('{who} has {count, plural, one {# record} other {# records}}')
  assert.equal(
    toExpression(parseMessage('{count, number} de {who}'), english.arguments),
    '(who: string, count: number) => `${number.format(count)} de ${who}`',
  )
  assert.throws(() => parseMessage('{day, date, short}'), /Only/)
  assert.throws(() => parseMessage('{count, plural, one {#}}'))
  assert.equal(toExpression(parseMessage('a ` and $'), new Map()), '"a ` and $"')
})
