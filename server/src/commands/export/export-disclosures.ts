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

/** What rows of a file say of people, and which of their members name them; null where they are about nobody. */
type DisclosedRows = Pick<Disclosed, 'recordType' | 'fieldGroup' | 'ids'> | null

const recordsOf = (recordType: string, ...ids: readonly string[]): DisclosedRows => ({
  recordType,
  fieldGroup: fieldGroupsOfRecords[recordType] as FieldGroup,
  ids,
})

/** What the records of a kind disclose. */
export const disclosedByKinds: Readonly<Partial<Record<ImportKindName, DisclosedRows>>> = {
  students: disclosedByOperations.listStudents ?? null,
  applications: disclosedByOperations.listApplications ?? null,
  payments: disclosedByOperations.listPayments ?? null,
  contacts: recordsOf('Guardian', 'id'),
  enrollments: recordsOf('Program Enrollment', 'id', 'student'),
  attendance: recordsOf('Student Attendance', 'id', 'student'),
  'assessment-results': recordsOf('Assessment Result', 'id', 'student'),
}

/** What the records of a type of the Resource API disclose. */
export function getDisclosedRows({ name, fields }: RecordType): DisclosedRows {
  if (fieldGroupsOfRecords[name] === undefined) return null
  const people = Object.entries(fields).flatMap(([field, { type, ...facts }]) =>
    type === 'Link' && peopleAmongRecords.has((facts as { target: string }).target) ? [field] : [],
  )
  return recordsOf(name, 'name', ...people)
}

/** The record of whom an export shows. What was gathered is written when the export is done, or has failed. */
class ExportDisclosures {
  readonly #log: DisclosureLog
  readonly #operator: Operator
  readonly #tenant: TenantRecord
  readonly #operation: string
  readonly #filter: object

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
    const { columns, rows, copied } = records
    const watched = disclosed.ids.map((member) => columns.indexOf(member))
    const canFollow = copied !== undefined && !watched.includes(-1)
    return {
      columns,
      rows: this.#followRows(rows, disclosed),
      ...(canFollow && { copied, watched, shown: (ids, count) => this.#add(disclosed, ids, count) }),
    }
  }

  async *#followRows(rows: ExportedRecords['rows'], disclosed: NonNullable<DisclosedRows>): ExportedRecords['rows'] {
    for await (const batch of rows) {
      const named = batch.flatMap((row) => disclosed.ids.flatMap((member) => row[member] ?? []))
      await this.#add(
        disclosed,
        named.filter((each) => typeof each === 'string'),
        batch.length,
      )
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

  async #add(disclosed: Pick<Disclosed, 'recordType' | 'fieldGroup'>, ids: readonly string[], count: number) {
    await this.#log.add({ ...this.#shown, disclosed, ids, count })
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
