import { findMojibake } from './files/encoding.ts'
import { foldHeading, headingTable, type ImportField } from './import-fields.ts'
import type { Mapping } from './mapping.ts'
import { type FieldError, UnreadableFile } from './row-errors.ts'

/** What a column of a file is: a field, a member of a field that is an object, or nothing that is read. */
export interface Column {
  readonly field: ImportField
  /** The member of `customFields` or `metadata` that the column holds; null where it holds the field. */
  readonly member: string | null
}

/** The column of a report of refused rows, which an import passes over. */
export const reportHeading = 'faults'

/** Finds what headings stand for. */
export class ColumnFinder {
  readonly #table: ReadonlyMap<string, ImportField>
  readonly #byName: ReadonlyMap<string, ImportField>
  readonly #mapping: Mapping
  readonly #ignored: ReadonlySet<string>
  readonly #mapped: ReadonlyMap<string, string>

  /** Throws `UnreadableFile` for a map that names a field which the kind does not have. */
  constructor(fields: readonly ImportField[], mapping: Mapping) {
    this.#table = headingTable(fields)
    this.#byName = new Map(fields.map((field) => [field.name, field]))
    this.#mapping = mapping
    this.#ignored = new Set([reportHeading, ...(mapping.ignore ?? [])].map(foldHeading))
    this.#mapped = new Map(Object.entries(mapping.columns ?? {}).map(([heading, field]) => [heading.trim(), field]))
    const named = [...Object.values(mapping.columns ?? {}), ...(mapping.overwrite ?? [])]
    for (const name of named) {
      if (this.#findField(name) === null) {
        throw new UnreadableFile(
          'unknown_field',
          `the map names ${JSON.stringify(name)}, which is no field of these records`,
        )
      }
    }
  }

  /** Whether a file always leads in a field, whatever people corrected. */
  overwrites(field: string): boolean {
    return this.#mapping.overwrite?.includes(field) === true
  }

  /** The column of a heading: null where it is passed over, a fault where nothing is called so. */
  find(heading: string): Column | null | FieldError {
    const trimmed = heading.trim()
    const mapped = this.#mapped.get(trimmed)
    if (mapped !== undefined) return this.#findField(mapped)
    if (this.#ignored.has(foldHeading(trimmed))) return null
    const found = this.#findField(trimmed) ?? this.#findTitle(trimmed)
    if (found !== null) return found
    const meant = findMojibake(trimmed)
    if (meant !== null) {
      const detail = `the heading ${JSON.stringify(trimmed)} is ${JSON.stringify(meant)} in another encoding`
      return { field: null, code: 'mojibake', detail }
    }
    return {
      field: null,
      code: 'unknown_heading',
      detail: `no field is called ${JSON.stringify(trimmed.slice(0, 100))}`,
    }
  }

  #findTitle(heading: string): Column | null {
    const field = this.#table.get(foldHeading(heading))
    return field === undefined ? null : { field, member: null }
  }

  #findField(name: string): Column | null {
    const field = this.#byName.get(name)
    if (field !== undefined) return { field, member: null }
    const [object = '', ...rest] = name.split('.')
    const owner = this.#byName.get(object)
    return rest.length > 0 && owner?.type === 'object' ? { field: owner, member: rest.join('.') } : null
  }
}

/** What the headings of a table stand for, column by column; the faults of all that are none. */
export function findColumns(
  finder: ColumnFinder,
  headings: readonly string[],
): {
  readonly columns: readonly (Column | null)[]
  readonly errors: readonly (FieldError & { readonly index: number })[]
} {
  const errors: (FieldError & { index: number })[] = []
  const seen = new Map<string, number>()
  const columns = headings.map((heading, index) => {
    const found = finder.find(heading)
    if (found === null) return null
    if ('code' in found) {
      errors.push({ ...found, index })
      return null
    }
    const key = found.member === null ? found.field.name : `${found.field.name}.${found.member}`
    const before = seen.get(key)
    if (before !== undefined) {
      const detail = `stands for ${key}, as column ${before + 1} does`
      errors.push({ field: null, code: 'doubled_heading', detail, index })
    }
    seen.set(key, index)
    return found
  })
  return { columns, errors }
}
