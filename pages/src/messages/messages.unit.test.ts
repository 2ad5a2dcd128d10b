import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locales, messagesIn } from './index.ts'

/** Every phrase of a catalogue by its path, with what it puts in made visible. */
function phrases(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value('{a}', '{b}'))]]
  return Object.entries(value as object).flatMap(([key, part]) => phrases(part, `${path}.${key}`))
}

const english = new Map(phrases(messagesIn('en')))

test('every catalogue has the same phrases, none of them empty', () => {
  assert.ok(english.size > 100)
  for (const locale of locales) {
    const catalogue = phrases(messagesIn(locale))
    assert.deepEqual(catalogue.map(([path]) => path).sort(), [...english.keys()].sort())
    assert.deepEqual(
      catalogue.filter(([, text]) => text.trim() === ''),
      [],
    )
  }
})

test('every translation puts in what the English phrase puts in', () => {
  const places = (text: string | undefined) => [...(text ?? '').matchAll(/\{\w+\}/g)].map(String).sort()
  for (const locale of locales) {
    for (const [path, text] of phrases(messagesIn(locale))) {
      assert.deepEqual(places(text), places(english.get(path)), `${locale}${path}`)
    }
  }
})

test('the languages are told apart: hardly a phrase is the same in two of them', () => {
  for (const locale of locales.filter((other) => other !== 'en')) {
    const same = phrases(messagesIn(locale)).filter(([path, text]) => english.get(path) === text)
    assert.ok(same.length <= 3, JSON.stringify(same))
  }
})
