import type { RecordType } from '@matricula/contract/record-types'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import {
  amendedName,
  hashName,
  type NamingDay,
  nextOfFormat,
  nextOfSeries,
  requireName,
} from '../model/record-names.ts'
import { getFiscalYear } from '../model/tenant-clock.ts'
import type { RecordWork } from './record-work.ts'

/**
 * The name of a new record, as its type is named; an amendment is named after what it amends. `sent` says which series
 * the client chose. A rollback returns the numbers of a series.
 *
 * @throws RecordError `ValidationError`, `NameError` or `CharacterLengthExceededError` for a name that no record can
 * have.
 */
export async function loadNewName(
  work: RecordWork,
  { type, rules }: RecordDefinition,
  document: AnyDocument,
  sent: Readonly<Record<string, unknown>>,
): Promise<string> {
  if (typeof document.amended_from === 'string' && document.amended_from !== '') {
    return amendedName(await work.get(type, document.amended_from))
  }
  const { naming } = type
  switch (naming.by) {
    case 'field': {
      const name = String(document[naming.field] ?? '')
      if (name.trim() === '') throw unnamed(type, naming.field)
      return requireName(type.name, name)
    }
    case 'hash':
      return hashName()
    case 'format':
      return nextOfFormat(work.tx, naming.format, await loadNamingDay(work), document)
    case 'type':
      return type.name
    case 'rule':
      return requireName(type.name, (await rules.name?.(document, work)) ?? '')
    case 'series': {
      const chosen = typeof sent.naming_series === 'string' ? sent.naming_series.trim() : ''
      const series = (await rules.series?.(document, work)) ?? (chosen === '' ? naming.series : chosen)
      return requireName(type.name, await nextOfSeries(work.tx, series, await loadNamingDay(work), document))
    }
  }
}

/** The current day, as names contain it. */
export async function loadNamingDay(work: RecordWork): Promise<NamingDay> {
  const { fiscalYearFirstMonth } = await work.siteDefaults()
  return { today: work.today, fiscalYear: getFiscalYear(work.today, fiscalYearFirstMonth) }
}

function unnamed(type: RecordType, field: string): RecordError {
  const label = type.fields[field]?.label ?? field
  return new RecordError('ValidationError', `A ${type.name} is named by its ${label}. Set ${field}.`)
}

/** The field of a type that always holds the name of the record, or null. */
export function findNameField({ naming }: RecordType): string | null {
  return 'field' in naming ? (naming.field ?? null) : null
}
