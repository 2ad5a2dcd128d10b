import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTerm } from './identifying-terms.ts'

/** A pattern without what stands for itself: escaped characters and classes. */
function getQuantifiers(source: string): string {
  return source.replace(/\\(?:p\{\w+\}|.)/gu, 'x').replace(/\[[^\]]*\]/g, 'x')
}

test('patterns of names, telephones, e-mails and codes repeat nothing without a bound, so that a search is linear', () => {
  for (const [kind, value] of [
    ['name', 'Ana - . - María _ López'],
    ['name', 'Jean-Luc O\u2019Neil-..-Marie'],
    ['phone', '+57 (601) 555-0134'],
    ['email', 'ana+++...---@example.org'],
    ['code', 'EDU-STU-2026-00001'],
  ] as const) {
    const pattern = toTerm(kind, value)?.pattern
    assert.ok(pattern, value)
    assert.doesNotMatch(getQuantifiers(pattern.source), /[*+]|\{\d+,\}/, value)
  }
})

test('a name is found in its order and with the last word first, whatever separates its words, and in no longer word', () => {
  const pattern = toTerm('name', 'Ana - López')?.pattern
  assert.ok(pattern)
  const found = ['Ana López', 'López, Ana', 'ANA_LÓPEZ.pdf', 'ana%20lópez'].map((text) => text.search(pattern) >= 0)
  assert.deepEqual(found, [true, true, true, true])
  assert.deepEqual(
    ['Mariana López', 'Ana Lópezes', 'Ana'].map((text) => text.search(pattern) >= 0),
    [false, false, false],
  )
})
