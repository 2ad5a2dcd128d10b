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
export function nameFaults(fullName: string): Fault[] {
  if (fullName.trim() !== '') return []
  const detail = 'is required, or givenNames and/or familyNames'
  return [{ in: 'body', pointer: '#/fullName', code: 'required', detail }]
}
