import { peopleAmongRecords } from '@matricula/contract'
import { type RecordType, recordTypes } from '@matricula/contract/record-types'
import { getFields } from '../../model/record-tables.ts'

/** The records of one type that a caller was shown. */
export interface ShownOfType {
  readonly recordType: string
  /** Names of the records, and of the people whom they are about. */
  readonly ids: readonly string[]
  readonly count: number
}

/** Collects the records that the caller of one request was shown, by type, for the log of disclosures. */
export class ShownRecords {
  #shown = new Map<string, { readonly ids: Set<string>; count: number }>()

  /** Adds `count` records of a type; ids that are not texts are ignored. */
  add(recordType: string, ids: Iterable<unknown>, count: number): void {
    let shown = this.#shown.get(recordType)
    if (shown === undefined) {
      shown = { ids: new Set(), count: 0 }
      this.#shown.set(recordType, shown)
    }
    shown.count += count
    for (const id of ids) if (typeof id === 'string' && id !== '') shown.ids.add(id)
  }

  /** Adds a record with its rows. */
  addRecord(type: RecordType, document: Readonly<Record<string, unknown>>): void {
    const ids: unknown[] = [document.name]
    addPeople(type, document, ids)
    this.add(type.name, ids, 1)
  }

  /** Returns and clears what was added. */
  take(): ShownOfType[] {
    if (this.#shown.size === 0) return []
    const shown = this.#shown
    this.#shown = new Map()
    return [...shown].map(([recordType, { ids, count }]) => ({ recordType, ids: [...ids], count }))
  }
}

const known = new WeakMap<RecordType, readonly string[]>()

/** The fields of a type that name a person, or a record of any type. */
export function fieldsNamingPeople(type: RecordType): readonly string[] {
  const fields = known.get(type)
  if (fields !== undefined) return fields
  const naming = getFields(type).flatMap(([name, field]) =>
    (field.type === 'Link' && peopleAmongRecords.has(field.target)) || field.type === 'Dynamic Link' ? [name] : [],
  )
  known.set(type, naming)
  return naming
}

function addPeople(type: RecordType, document: Readonly<Record<string, unknown>>, into: unknown[]): void {
  for (const field of fieldsNamingPeople(type)) into.push(document[field])
  for (const [field, declared] of getFields(type)) {
    if (declared.type !== 'Table') continue
    for (const row of (document[field] ?? []) as Readonly<Record<string, unknown>>[]) {
      addPeople(declared.rows, row, into)
    }
  }
}

/** The names of the fields, of any type, that link to people. */
const namesOfPersonFields: ReadonlySet<string> = new Set(
  recordTypes.flatMap((type) => {
    const rows = Object.values(type.fields).flatMap((field) => (field.type === 'Table' ? [field.rows] : []))
    return [type, ...rows].flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, field]) =>
        field.type === 'Link' && peopleAmongRecords.has(field.target) ? [name] : [],
      ),
    )
  }),
)

/** The people named in a value, at any depth, by members with the name of a field that links to people. */
export function peopleNamedIn(value: unknown): string[] {
  const names: string[] = []
  const gather = (part: unknown): void => {
    if (Array.isArray(part)) {
      for (const each of part) gather(each)
    } else if (isPlain(part)) {
      for (const [name, member] of Object.entries(part)) {
        if (typeof member !== 'string') gather(member)
        else if (namesOfPersonFields.has(name)) names.push(member)
      }
    }
  }
  gather(value)
  return names
}

/** Whether a value is a plain object, and not one of a class, such as a file. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
