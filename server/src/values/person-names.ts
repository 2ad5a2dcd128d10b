import type { Fault } from '@matricula/contract'

interface NameParts {
  readonly fullName: string
  readonly givenNames: string | null
  readonly familyNames: string | null
}

/** The full name of its parts; empty without any. */
export function composedName(givenNames: string | null | undefined, familyNames: string | null | undefined): string {
  return [givenNames, familyNames].filter((part) => part?.trim()).join(' ')
}

/**
 * The full name after a change of the parts: it follows them where it was composed of them before, and stays as it is
 * where somebody wrote it on its own.
 */
export function recomposedName(before: NameParts, after: Omit<NameParts, 'fullName'>): string {
  const wasComposed = before.fullName === composedName(before.givenNames, before.familyNames)
  const composed = composedName(after.givenNames, after.familyNames)
  return wasComposed && composed !== '' ? composed : before.fullName
}

/** The fault of a person without a name, or none. */
export function nameErrors(fullName: string): Fault[] {
  if (fullName.trim() !== '') return []
  const detail = 'is required, or givenNames and/or familyNames'
  return [{ in: 'body', pointer: '#/fullName', code: 'required', detail }]
}

/**
 * Whether two names may be of one person: folded by case and marks, one holds all words of the other, in any order. Names that
 * differ only in where their words are parted are alike as well.
 */
export function areNamesAlike(one: string, other: string): boolean {
  const [words, others] = [getMessages(one), getMessages(other)]
  if ([...words].join('') === [...others].join('')) return true
  return words.size <= others.size ? isWithin(words, others) : isWithin(others, words)
}

function isWithin(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...words].every((word) => others.has(word))
}

/** Signs that a letter is written with beside itself. The vowels of Indic and other scripts are letters of the name and stay. */
const diacritic = /(?![\u3099\u309a])(?=[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}/gu

/** The words of a name, folded; one of the whole text where it has no letters. */
function getMessages(name: string): ReadonlySet<string> {
  const text = name
    .normalize('NFKD')
    .replace(diacritic, '')
    .replace(/['’ʼ\p{Cf}]/gu, '')
    .toUpperCase()
  return new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text.trim()])
}
