import {
  type Disclosed,
  disclosedByOperations,
  type FieldGroup,
  fieldGroupsOfRecords,
  type ImportKindName,
  peopleAmongRecords,
} from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'
import { DisclosureLog } from '../../changes/index.ts'
import { discloseEverybody } from '../../features/disclosures/index.ts'
import type { ExportedRecords } from '../../features/imports/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { type Operator, operatorContext, warnOnly } from '../operator.ts'

/** How many people are remembered while a file is written: some 30 MiB. */
const maxPeople = 200_000

/** What rows of a file say of people, and which of their members name these; null where they are about nobody. */
type DisclosedRows = Pick<Disclosed, 'recordType' | 'fieldGroup' | 'ids'> | null

const recordsOf = (recordType: string, ...ids: readonly string[]): DisclosedRows => ({
  recordType,
  fieldGroup: fieldGroupsOfRecords[recordType] as FieldGroup,
  ids,
})

const ofPeople = (disclosed: Disclosed | null | undefined, ...ids: readonly string[]): DisclosedRows =>
  disclosed == null ? null : { ...disclosed, ids }

/**
 * What the records of a kind disclose. A file names the people whom it is about, and not each payment or day of attendance of theirs: of a
 * million the index of what is named would take longer than the file.
 */
export const disclosedByKinds: Readonly<Partial<Record<ImportKindName, DisclosedRows>>> = {
  students: disclosedByOperations.listStudents ?? null,
  applications: disclosedByOperations.listApplications ?? null,
  payments: ofPeople(disclosedByOperations.listPayments, 'studentId'),
  contacts: recordsOf('Guardian', 'id'),
  enrollments: recordsOf('Program Enrollment', 'student'),
  attendance: recordsOf('Student Attendance', 'student'),
  'assessment-results': recordsOf('Assessment Result', 'student'),
}

/** What the records of a type of the Resource API disclose: their own names too, where one may be about nobody. */
export function getDisclosedRows({ name, fields }: RecordType): DisclosedRows {
  if (fieldGroupsOfRecords[name] === undefined) return null
  const people = Object.entries(fields).filter(
    ([, { type, ...facts }]) => type === 'Link' && peopleAmongRecords.has((facts as { target: string }).target),
  )
  const isOfPerson = people.some(([, facts]) => 'required' in facts && facts.required === true)
  return recordsOf(name, ...(isOfPerson ? [] : ['name']), ...people.map(([field]) => field))
}

/** The record of whom an export shows. What was gathered is written when the export is done, or has failed. */
class ExportDisclosures {
  readonly #log: DisclosureLog
  readonly #operator: Operator
  readonly #tenant: TenantRecord
  readonly #operation: string
  readonly #filter: object
  /** The people whom a part named already: of each, one part says that the file shows them. */
  readonly #people = new Set<string>()

  constructor(operator: Operator, tenant: TenantRecord, operation: string, filter: object) {
    this.#log = new DisclosureLog(operator.database, { error: (_facts, message) => warnOnly.warn(message) })
    this.#operator = operator
    this.#tenant = tenant
    this.#operation = operation
    this.#filter = filter
  }

  /** The same records, each batch recorded as it is read. */
  follow(records: ExportedRecords, disclosed: DisclosedRows | undefined): ExportedRecords {
    if (disclosed == null) return records
    const { columns, rows, copied, moments } = records
    const watched = disclosed.ids.map((member) => columns.indexOf(member))
    const canFollow = copied !== undefined && !watched.includes(-1)
    return {
      columns,
      rows: this.#followRows(rows, disclosed),
      ...(canFollow && { copied, moments, watched, shown: (ids, count) => this.#add(disclosed, ids, count) }),
    }
  }

  async *#followRows(rows: ExportedRecords['rows'], disclosed: NonNullable<DisclosedRows>): ExportedRecords['rows'] {
    for await (const batch of rows) {
      const named = disclosed.ids.map((member) =>
        batch.flatMap((row) => row[member] ?? []).filter((each) => typeof each === 'string'),
      )
      await this.#add(disclosed, named, batch.length)
      yield batch
    }
  }

  /** Records that everything of everybody was shown. */
  async addEverybody(): Promise<void> {
    await discloseEverybody(this.#operator.database, (disclosure) => this.#log.add(disclosure), this.#shown)
  }

  get #shown() {
    const context = operatorContext(this.#tenant)
    return { context, surface: 'export', operation: this.#operation, filter: this.#filter } as const
  }

  async #add(
    disclosed: Pick<Disclosed, 'recordType' | 'fieldGroup'>,
    named: readonly (readonly string[])[],
    count: number,
  ) {
    const ids = named.flatMap((column) => column.filter((id) => this.#isNew(id)))
    await this.#log.add({ ...this.#shown, disclosed, ids, count })
  }

  /** Whether no part before has this person. */
  #isNew(id: string): boolean {
    if (this.#people.has(id)) return false
    if (this.#people.size >= maxPeople) this.#people.clear()
    this.#people.add(id)
    return true
  }

  /** Writes what was gathered. */
  close(): Promise<void> {
    return this.#log.close()
  }
}

/** Does an export, with a record of whom it shows. */
export async function disclosingExport<Result>(
  operator: Operator,
  tenant: TenantRecord,
  { operation, filter }: { readonly operation: string; readonly filter: object },
  work: (disclosures: ExportDisclosures) => Promise<Result>,
): Promise<Result> {
  const disclosures = new ExportDisclosures(operator, tenant, operation, filter)
  try {
    return await work(disclosures)
  } finally {
    await disclosures.close()
  }
}
