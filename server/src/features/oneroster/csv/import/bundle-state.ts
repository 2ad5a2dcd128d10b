import {
  academicTerm,
  academicYear,
  assessmentGroup,
  department,
  guardian,
  instructor,
  type RecordType,
  student,
  studentGroup,
} from '@matricula/contract/record-types'
import type { ChangeContext, RequestContext } from '../../../../changes/index.ts'
import { sql, type Transaction } from '../../../../database/index.ts'
import { Problem } from '../../../../errors/index.ts'
import { RecordEngine, RecordError, type RecordRegistry } from '../../../../record-engine/index.ts'
import type { Tenant } from '../../../../tenancy/index.ts'
import type { RecordKind } from '../../roster/roster-class.ts'
import type { Bundle, BundleRow } from '../bundle-reader.ts'
import { Faults, readCell, readList } from '../bundle-values.ts'
import { endRecord, resumeRecord } from '../end-records.ts'
import { type RecordPlace, SourcedRecords, type Unmapped } from '../import-target.ts'
import { readUnmapped } from '../row-metadata.ts'

const withoutUnmapped: Unmapped = { metadata: null, members: null }

/** Where the records are that a file of a bundle brings. */
export interface Stored extends RecordPlace {
  readonly type: RecordType
}

/** The records that bundles bring, by what they are. */
export const stored = {
  department: { kind: 'org', type: department, table: sql`departments`, name: sql`name` },
  year: { kind: 'academicSession', type: academicYear, table: sql`academic_years`, name: sql`name` },
  period: { kind: 'academicSession', type: assessmentGroup, table: sql`assessment_groups`, name: sql`name` },
  term: { kind: 'academicSession', type: academicTerm, table: sql`academic_terms`, name: sql`name` },
  student: { kind: 'user', type: student, table: sql`students`, name: sql`student_code` },
  instructor: { kind: 'user', type: instructor, table: sql`instructors`, name: sql`name` },
  guardian: { kind: 'user', type: guardian, table: sql`contacts`, name: sql`code` },
  group: { kind: 'class', type: studentGroup, table: sql`student_groups`, name: sql`name` },
} as const satisfies Readonly<Record<string, Stored>>

/** Where courses are, and the programs that are home courses. */
export const courses: RecordPlace = { kind: 'course', table: sql`courses`, name: sql`name` }
export const programs: RecordPlace = { kind: 'course', table: sql`programs`, name: sql`name` }

/** What the files of a bundle share while they come in, one after the other. */
export class BundleState {
  readonly tx: Transaction
  readonly tenant: Tenant
  readonly change: ChangeContext
  readonly bundle: Bundle
  readonly engine: RecordEngine
  readonly records: SourcedRecords
  readonly faults = new Faults()
  readonly counts = { created: 0, updated: 0, unchanged: 0 }
  /** The names of records by the sourcedIds of the bundle, by kind of record. */
  readonly names = new Map<string, string>()
  /** The courses that are programs, because homerooms are of them. */
  readonly homes = new Set<string>()
  /** The sourcedIds of users who may not log in: as students they are in no class. */
  readonly disabledUsers = new Set<string>()
  /** The sourcedIds of what the bundle has, by kind. */
  readonly present = { org: new Set<string>(), user: new Set<string>(), class: new Set<string>() }
  /** Whether earlier bundles brought the organisations that rows name beside those of this one. */
  readonly #knownOrgs = new Map<string, boolean>()
  readonly context: RequestContext
  readonly years: { readonly name: string; readonly first: string; readonly last: string }[] = []
  /** The name that the bundle gives an institution which had no records; else null. */
  institutionName: string | null = null
  /** The sourcedId that the bundle has for the institution itself; null where it has none. */
  institution: string | null = null

  constructor(tx: Transaction, tenant: Tenant, change: ChangeContext, registry: RecordRegistry, bundle: Bundle) {
    this.tx = tx
    this.tenant = tenant
    this.change = change
    this.bundle = bundle
    this.records = new SourcedRecords(tx)
    const { actor, requestId, address } = change
    const roles = new Set(['System Manager'])
    const caller = {
      tenant,
      kind: 'key',
      user: 'Administrator',
      fullName: 'Import',
      roles,
      actor,
      requestId,
      address,
    } as const
    this.engine = new RecordEngine(tx, caller, registry)
    const operation = {
      tenant,
      actor: { ...actor, id: actor.id ?? '' },
      side: 'platform',
      scopes: new Set<never>(),
      masterDomains: new Set<never>(),
      requestsPerMinute: 0,
    } as const
    this.context = { ...change, tenant, caller: operation, ifMatch: null, readOnlyFields: {} }
  }

  /** A file that has all there is ends what earlier bundles brought and it lacks; one without rows says nothing. */
  async endMissing(file: string, kind: 'org' | 'user' | 'class'): Promise<void> {
    const present = this.present[kind]
    if (present.size === 0 || !this.bundle.isBulk(file)) return
    for (const { id } of await this.records.listMissing(kind, [...present])) await this.end(kind, id)
  }

  async end(kind: RecordKind, id: string): Promise<void> {
    if (await endRecord(this.engine, this.context, this.records, kind, id)) this.counts.updated += 1
  }

  /** Ends the record of a row that says so, where there is one. */
  async endRow(of: Stored, sourcedId: string): Promise<void> {
    const known = await this.records.find(of, sourcedId)
    if (known !== null) await this.end(of.kind, known.id)
  }

  /**
   * Saves one record and remembers its sourcedId and what the bundle says of it, null: nothing new; what the rules refuse is a fault of the
   * row.
   */
  async save(
    row: BundleRow,
    of: Stored,
    sourcedId: string,
    fields: Record<string, unknown>,
    unmapped: Unmapped | null = readUnmapped(row),
  ): Promise<string | null> {
    await this.tx.query(sql`savepoint row_of_bundle`)
    try {
      const known = await this.records.find(of, sourcedId)
      if (known === null) {
        const made = (await this.engine.insert(of.type, fields as never)) as { name: string }
        this.records.remember(of, made.name, sourcedId, unmapped ?? withoutUnmapped)
        this.counts.created += 1
        this.names.set(`${of.type.name} ${sourcedId}`, made.name)
        return made.name
      }
      let isSame = true
      if (await this.records.isEnded(of.kind, sourcedId)) {
        await resumeRecord(this.engine, this.records, of.kind, known.id, known.name)
        isSame = false
      }
      if (unmapped !== null) this.records.remember(of, known.name, sourcedId, unmapped)
      await this.engine.change(of.type, known.name, (document) => {
        for (const [name, value] of Object.entries(fields)) {
          const target = document as Record<string, unknown>
          if (Array.isArray(value) ? !hasRows(target[name], value) : (target[name] ?? null) !== value) {
            isSame = false
            target[name] = value
          }
        }
      })
      if (isSame) this.counts.unchanged += 1
      else this.counts.updated += 1
      this.names.set(`${of.type.name} ${sourcedId}`, known.name)
      return known.name
    } catch (error) {
      if (!(error instanceof RecordError) && !(error instanceof Problem)) throw error
      await this.tx.query(sql`rollback to savepoint row_of_bundle`)
      this.faults.add(row, null, 'inconsistent', error.message)
      return null
    }
  }

  /** The name of a record by its sourcedId, from this bundle or an earlier one; null with a fault where there is none. */
  async named(row: BundleRow, of: Stored, heading: string, sourcedId: string): Promise<string | null> {
    const key = `${of.type.name} ${sourcedId}`
    const name = this.names.get(key) ?? (await this.records.find(of, sourcedId))?.name ?? null
    if (name === null) this.faultOfReference(row, heading, sourcedId)
    else this.names.set(key, name)
    return name
  }

  /** The name of the department that an organisation is; null for the institution, and for one that is not there. */
  async findDepartment(sourcedId: string | null): Promise<string | null> {
    if (sourcedId === null || sourcedId === this.institution) return null
    const key = `${stored.department.type.name} ${sourcedId}`
    const name = this.names.get(key) ?? (await this.records.find(stored.department, sourcedId))?.name ?? null
    if (name !== null) this.names.set(key, name)
    return name
  }

  /** Says of a row that it names an organisation which is not there; a delta may name one that an earlier bundle brought. */
  async requireOrgs(row: BundleRow, ...headings: readonly string[]): Promise<void> {
    for (const heading of headings) {
      for (const sourcedId of readList(readCell(row, heading))) {
        if (sourcedId === this.institution || this.present.org.has(sourcedId)) continue
        const isKnown = this.#knownOrgs.get(sourcedId) ?? (await this.records.hasOrg(sourcedId))
        this.#knownOrgs.set(sourcedId, isKnown)
        if (!isKnown) this.faultOfReference(row, heading, sourcedId)
      }
    }
  }

  /** Says that a row names what is not there. */
  faultOfReference(row: BundleRow, heading: string, sourcedId: string): void {
    const detail = `${sourcedId} is neither in the bundle nor among the records.`
    this.faults.add(row, heading, 'reference_not_found', detail)
  }
}

/** Whether rows are there already with these values. */
function hasRows(current: unknown, wanted: readonly Record<string, unknown>[]): boolean {
  const rows = (current ?? []) as readonly Record<string, unknown>[]
  return (
    rows.length === wanted.length &&
    wanted.every((each, index) =>
      Object.entries(each).every(([name, value]) => (rows[index]?.[name] ?? null) === value),
    )
  )
}
