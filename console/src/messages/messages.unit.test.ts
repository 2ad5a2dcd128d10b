import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { documentStatuses, paymentStatuses, requestStatuses, studentStatuses } from '@matricula/contract'
import { pluralOf } from '@matricula/contract/navigation'
import { labelsOf, recordTypes } from '@matricula/contract/record-types'
import { sectionTitles } from '@matricula/contract/record-views'
import { english } from './english.ts'
import { portuguese } from './portuguese.ts'
import { portuguesePlurals } from './portuguese-plurals.ts'
import { portuguesePurposes } from './portuguese-purposes.ts'
import { sentences } from './sentences.ts'
import { spanish } from './spanish.ts'
import { spanishPlurals } from './spanish-plurals.ts'
import { spanishPurposes } from './spanish-purposes.ts'

/** Words that are the same in another language. */
const sameIn: Readonly<Record<string, ReadonlySet<string>>> = {
  Spanish: new Set(['Color', 'Total', 'General', 'NO', 'Video']),
  Portuguese: new Set(['Item', 'Total', 'Supervisor']),
}

/** What is no word: series, numbers, groups of blood, and the field that sorts a tree. */
const isNoWord = (label: string) => /^(?:EDU-|ACC-|\d|[ABO]{1,2}[+-]$)/.test(label)

/** Statuses of the Client API that a profile shows, as record types spell them. */
const statuses = [...documentStatuses, ...paymentStatuses, ...requestStatuses, ...studentStatuses].map(
  (status) => status.slice(0, 1).toUpperCase() + status.slice(1).replaceAll('_', ' '),
)

const labels = new Set([
  ...recordTypes.flatMap((type) => [type.name, ...labelsOf(type)]),
  ...sectionTitles,
  ...statuses,
])

const readNames = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../messages/names.${language}.json`, import.meta.url), 'utf8'))

for (const [language, names] of Object.entries({ Spanish: readNames('es'), Portuguese: readNames('pt') })) {
  test(`every record type, field, option and part of a form has a name in ${language}, and none is English`, () => {
    const missing = [...labels].filter((label) => !isNoWord(label) && !Object.hasOwn(names, label))
    assert.deepEqual(missing, [])
    const same = [...labels].filter((label) => names[label] === label && !spelledAlike(label))
    assert.deepEqual(
      same.filter((label) => !sameIn[language]?.has(label)),
      [],
    )
  })
}

for (const [language, plurals, purposes] of [
  ['Spanish', spanishPlurals, spanishPurposes],
  ['Portuguese', portuguesePlurals, portuguesePurposes],
] as const) {
  test(`of each type that has a list, several records have a name in ${language}, and it is said what they are for`, () => {
    for (const { name, kind } of recordTypes) {
      if (kind === 'single') continue
      assert.ok(Object.hasOwn(plurals, name) && Object.hasOwn(purposes, name), name)
      assert.notEqual(plurals[name], pluralOf(name))
    }
  })
}

/** Words of Latin origin that both languages spell as English does; each was looked at. */
function spelledAlike(label: string): boolean {
  return ['Supervisor', 'Total', 'Roles'].includes(label)
}

test('no sentence of another language is left in English', () => {
  const own = new Map(sentences(english))
  for (const [language, messages] of Object.entries({ spanish, portuguese })) {
    const left = sentences(messages).filter(([location, text]) => text === own.get(location) && /[a-z]{3}/i.test(text))
    assert.deepEqual(left, [], language)
  }
})
