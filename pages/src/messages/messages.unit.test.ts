import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locales, messagesIn } from './index.ts'

/** Every message of a catalogue by its path, with what it puts in made visible. */
function toMessages(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value('{a}', '{b}'))]]
  return Object.entries(value as object).flatMap(([key, part]) => toMessages(part, `${path}.${key}`))
}

const english = new Map(toMessages(messagesIn('en')))

test('hardly a message is the same in two languages', () => {
  for (const locale of locales.filter((other) => other !== 'en')) {
    const same = toMessages(messagesIn(locale)).filter(([path, text]) => english.get(path) === text)
    assert.ok(same.length <= english.size / 40, JSON.stringify(same))
  }
})
