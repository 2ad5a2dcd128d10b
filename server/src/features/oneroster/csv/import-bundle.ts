import {
  academicTerm,
  academicYear,
  department,
  guardian,
  instructor,
  type RecordType,
  student,
  studentGroup,
} from '@matricula/contract/record-types'
import type { ChangeContext } from '../../../changes/index.ts'
import { lockTenantExclusive } from '../../../concurrency/index.ts'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { RecordEngine, RecordError, type RecordRegistry } from '../../../record-engine/index.ts'
import type { Tenant } from '../../../tenancy/index.ts'
import { importCourse } from '../../courses/index.ts'
import { importProgram } from '../../programs/index.ts'
import type { RecordKind } from '../roster/roster-class.ts'
import type { Bundle, BundleRow } from './bundle-reader.ts'
import { Faults, isGone, lastDay, readCell, readDay, readList, required } from './bundle-values.ts'
import { SourcedRecords } from './import-target.ts'

/** What an import did. */
export interface BundleReport {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly faults: Faults
}

interface Stored {
  readonly kind: RecordKind
  readonly type: RecordType
  readonly table: Sql
  readonly name: Sql
}

const stored = {
  department: { kind: 'org', type: department, table: sql`departments`, name: sql`name` },
  year: { kind: 'academicSession', type: academicYear, table: sql`academic_years`, name: sql`name` },
  term: { kind: 'academicSession', type: academicTerm, table: sql`academic_terms`, name: sql`name` },
  student: { kind: 'user', type: student, table: sql`students`, name: sql`student_code` },
  instructor: { kind: 'user', type: instructor, table: sql`instructors`, name: sql`name` },
  guardian: { kind: 'user', type: guardian, table: sql`contacts`, name: sql`code` },
  group: { kind: 'class', type: studentGroup, table: sql`student_groups`, name: sql`name` },
} as const satisfies Readonly<Record<string, Stored>>

type Person = 'student' | 'instructor' | 'guardian'

/**
 * Brings a bundle into the records of an institution, in the transaction of the caller: all of it, or nothing where the report has
 * faults and the caller throws. A record that an earlier bundle brought is changed, others are made.
 */
export async function importBundle(
  tx: Transaction,
  tenant: Tenant,
  change: ChangeContext,
  registry: RecordRegistry,
  bundle: Bundle,
): Promise<BundleReport> {
  await lockTenantExclusive(tx)
  const importing = new BundleImport(tx, tenant, change, registry, bundle)
  await importing.run()
  return importing.report
}

class BundleImport {
  readonly #tx: Transaction
  readonly #change: ChangeContext
  readonly #bundle: Bundle
  readonly #engine: RecordEngine
  readonly #records: SourcedRecords
  readonly #faults = new Faults()
  #created = 0
  #updated = 0
  #unchanged = 0
  /** The names of records by the sourcedIds of the bundle, by kind of record. */
  readonly #names = new Map<string, string>()
  readonly #homes = new Set<string>()
  readonly #years: { readonly name: string; readonly first: string; readonly last: string }[] = []

  constructor(tx: Transaction, tenant: Tenant, change: ChangeContext, registry: RecordRegistry, bundle: Bundle) {
    this.#tx = tx
    this.#change = change
    this.#bundle = bundle
    this.#records = new SourcedRecords(tx)
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
    this.#engine = new RecordEngine(tx, caller, registry)
  }

  get report(): BundleReport {
    return { created: this.#created, updated: this.#updated, unchanged: this.#unchanged, faults: this.#faults }
  }

  async run(): Promise<void> {
    await this.#importOrgs()
    await this.#importSessions()
    for await (const row of this.#bundle.rows('classes')) {
      const course = readCell(row, 'courseSourcedId', 'courseId')
      if (readCell(row, 'classType')?.toLowerCase() === 'homeroom' && course !== null) this.#homes.add(course)
    }
    await this.#importCourses()
    await this.#importUsers()
    await this.#importClasses()
  }

  /** Saves one record and remembers its sourcedId; what the rules refuse is a fault of the row. */
  async #save(row: BundleRow, of: Stored, sourcedId: string, fields: Record<string, unknown>): Promise<string | null> {
    await this.#tx.query(sql`savepoint row_of_bundle`)
    try {
      const known = await this.#records.find(of.kind, of.table, of.name, sourcedId)
      if (known === null) {
        const made = (await this.#engine.insert(of.type, fields as never)) as { name: string }
        this.#records.remember(of.kind, of.table, of.name, made.name, sourcedId)
        this.#created += 1
        this.#names.set(`${of.type.name} ${sourcedId}`, made.name)
        return made.name
      }
      let isSame = true
      await this.#engine.change(of.type, known.name, (document) => {
        for (const [name, value] of Object.entries(fields)) {
          const target = document as Record<string, unknown>
          if (Array.isArray(value) ? !hasRows(target[name], value) : (target[name] ?? null) !== value) {
            isSame = false
            target[name] = value
          }
        }
      })
      if (isSame) this.#unchanged += 1
      else this.#updated += 1
      this.#names.set(`${of.type.name} ${sourcedId}`, known.name)
      return known.name
    } catch (error) {
      if (!(error instanceof RecordError) && !(error instanceof Problem)) throw error
      await this.#tx.query(sql`rollback to savepoint row_of_bundle`)
      this.#faults.add(row, null, 'inconsistent', error.message)
      return null
    }
  }

  /** The name of a record by its sourcedId, from this bundle or an earlier one; null with a fault where there is none. */
  async #named(row: BundleRow, of: Stored, heading: string, sourcedId: string): Promise<string | null> {
    const key = `${of.type.name} ${sourcedId}`
    const name = this.#names.get(key) ?? (await this.#records.find(of.kind, of.table, of.name, sourcedId))?.name ?? null
    if (name === null) {
      this.#faults.add(
        row,
        heading,
        'reference_not_found',
        `${sourcedId} is neither in the bundle nor among the records.`,
      )
    } else this.#names.set(key, name)
    return name
  }

  async #importOrgs(): Promise<void> {
    const parents: { readonly row: BundleRow; readonly sourcedId: string; readonly parent: string }[] = []
    let institution: string | null = null
    for await (const row of this.#bundle.rows('orgs')) {
      const sourcedId = required(row, this.#faults, 'sourcedId')
      const name = required(row, this.#faults, 'name')
      if (sourcedId === null || name === null) continue
      const type = (readCell(row, 'type') ?? 'school').toLowerCase()
      if (institution === null && type !== 'department' && readCell(row, 'parentSourcedId', 'parentId') === null) {
        institution = sourcedId
        this.#tx.send(sql`
          insert into roster_ids (tenant_id, kind, id, sourced_id)
          select ${this.#tx.tenantId}::uuid, 'org', ${this.#tx.tenantId}::uuid, ${sourcedId}
           where ${sourcedId} <> ${this.#tx.tenantId}::text
          on conflict do nothing`)
        continue
      }
      const fields = { department_name: name, is_school: type === 'school' ? 1 : 0, disabled: isGone(row) ? 1 : 0 }
      await this.#save(row, stored.department, sourcedId, fields)
      const parent = readCell(row, 'parentSourcedId', 'parentId')
      if (parent !== null && parent !== institution) parents.push({ row, sourcedId, parent })
    }
    for (const { row, sourcedId, parent } of parents) {
      if (parent === institution) continue
      const name = await this.#named(row, stored.department, 'parentSourcedId', parent)
      if (name !== null) await this.#save(row, stored.department, sourcedId, { parent_department: name })
    }
  }

  async #importSessions(): Promise<void> {
    for await (const row of this.#bundle.rows('academicSessions')) {
      if (readCell(row, 'type')?.toLowerCase() !== 'schoolyear') continue
      const session = this.#readSession(row)
      if (session === null) continue
      const { sourcedId, title, first, last } = session
      const fields = { academic_year_name: title, year_start_date: first, year_end_date: last }
      const name = await this.#save(row, stored.year, sourcedId, fields)
      if (name !== null) this.#years.push({ name, first, last })
    }
    for await (const row of this.#bundle.rows('academicSessions')) {
      const type = readCell(row, 'type')?.toLowerCase()
      if (type !== 'term' && type !== 'semester') continue
      const session = this.#readSession(row)
      // What stands for a year without terms is made of it.
      if (session === null || session.sourcedId.endsWith('_term')) continue
      const { sourcedId, title, first, last } = session
      const parent = readCell(row, 'parentSourcedId', 'parentId')
      const year = parent === null ? null : (this.#names.get(`Academic Year ${parent}`) ?? null)
      const within = year ?? this.#years.find((each) => each.first <= first && last <= each.last)?.name ?? null
      if (within === null) {
        this.#faults.add(row, 'parentSourcedId', 'reference_not_found', 'The bundle has no school year of this term.')
        continue
      }
      const name = title.startsWith(`${within} (`) ? title.slice(within.length + 2, -1) : title
      await this.#save(row, stored.term, sourcedId, {
        academic_year: within,
        term_name: name,
        term_start_date: first,
        term_end_date: last,
      })
    }
  }

  #readSession(row: BundleRow) {
    const sourcedId = required(row, this.#faults, 'sourcedId')
    const title = required(row, this.#faults, 'title')
    const first = readDay(row, this.#faults, 'startDate')
    const last = lastDay(readDay(row, this.#faults, 'endDate'))
    if (first === null || last === null)
      this.#faults.add(row, 'startDate', 'required', 'A session needs startDate and endDate.')
    return sourcedId === null || title === null || first === null || last === null
      ? null
      : { sourcedId, title, first, last }
  }

  /** Courses, and the programs of homerooms. */
  async #importCourses(): Promise<void> {
    const taken = new Map<string, string>()
    for await (const row of this.#bundle.rows('courses')) {
      const sourcedId = required(row, this.#faults, 'sourcedId')
      const title = required(row, this.#faults, 'title')
      if (sourcedId === null || title === null || isGone(row)) continue
      const code = readCell(row, 'courseCode')
      const isHome = this.#homes.has(sourcedId)
      const name = (taken.get(title) ?? sourcedId) === sourcedId ? title : `${title} (${code ?? sourcedId})`
      taken.set(name, sourcedId)
      const entry = { externalId: sourcedId.slice(0, 160), name, ...(code !== null && code !== title && { code }) }
      const save = isHome ? importProgram : importCourse
      const outcome = await save(this.#tx, this.#change, entry as never)
      if (outcome === 'created') this.#created += 1
      else if (outcome === 'updated') this.#updated += 1
      else this.#unchanged += 1
      this.#names.set(`${isHome ? 'Program' : 'Course'} ${sourcedId}`, name)
      this.#records.remember('course', isHome ? sql`programs` : sql`courses`, sql`name`, name, sourcedId)
    }
  }

  async #importUsers(): Promise<void> {
    const roles = new Map<string, string>()
    for await (const row of this.#bundle.rows('roles')) {
      const user = readCell(row, 'userSourcedId')
      const isPrimary = readCell(row, 'roleType')?.toLowerCase() !== 'secondary'
      if (user !== null && (isPrimary || !roles.has(user))) roles.set(user, readCell(row, 'role') ?? '')
    }
    const born = new Map<string, { readonly date_of_birth: string | null; readonly gender: string | null }>()
    for await (const row of this.#bundle.rows('demographics')) {
      const user = readCell(row, 'sourcedId', 'userSourcedId')
      const sex = readCell(row, 'sex')?.toLowerCase()
      const gender = sex === 'male' ? 'Male' : sex === 'female' ? 'Female' : null
      if (user !== null) born.set(user, { date_of_birth: readDay(row, this.#faults, 'birthDate'), gender })
    }
    const agents: { readonly row: BundleRow; readonly sourcedId: string; readonly guardians: string[] }[] = []
    for await (const row of this.#bundle.rows('users')) {
      const sourcedId = required(row, this.#faults, 'sourcedId')
      const given = required(row, this.#faults, 'givenName')
      const family = required(row, this.#faults, 'familyName')
      if (sourcedId === null || given === null || family === null) continue
      const person = getPerson(roles.get(sourcedId) ?? readCell(row, 'role') ?? '')
      if (person === null) continue
      await this.#save(row, stored[person], sourcedId, getFields(row, person, { given, family }, born.get(sourcedId)))
      if (person === 'student') {
        agents.push({ row, sourcedId, guardians: [...new Set(readList(readCell(row, 'agentSourcedIds', 'agents')))] })
        if (isGone(row)) await this.#withdraw(sourcedId)
      }
    }
    for (const { row, sourcedId, guardians } of agents) {
      const names: { guardian: string }[] = []
      for (const each of guardians) {
        const name = await this.#named(row, stored.guardian, 'agentSourcedIds', each)
        if (name !== null) names.push({ guardian: name })
      }
      if (names.length > 0) await this.#save(row, stored.student, sourcedId, { guardians: names })
    }
  }

  async #withdraw(sourcedId: string): Promise<void> {
    const code = this.#names.get(`Student ${sourcedId}`)
    if (code === undefined) return
    await this.#engine.change(student, code, (document) => {
      document.enabled = 0
    })
  }

  async #importClasses(): Promise<void> {
    const members = await this.#readMembers()
    for await (const row of this.#bundle.rows('classes')) {
      const sourcedId = required(row, this.#faults, 'sourcedId')
      const title = required(row, this.#faults, 'title')
      const courseId = required(row, this.#faults, 'courseSourcedId', 'courseId')
      if (sourcedId === null || title === null || courseId === null) continue
      const [termId] = readList(readCell(row, 'termSourcedIds', 'terms', 'termSourcedId'))
      const period = await this.#findPeriod(row, termId)
      if (period === null) continue
      const isHome = this.#homes.has(courseId)
      const course = this.#names.get(`${isHome ? 'Program' : 'Course'} ${courseId}`)
      if (course === undefined) {
        this.#faults.add(
          row,
          'courseSourcedId',
          'reference_not_found',
          `${courseId} is not among the courses of the bundle.`,
        )
        continue
      }
      const { students = [], instructors = [] } = members.get(sourcedId) ?? {}
      await this.#save(row, stored.group, sourcedId, {
        student_group_name: title,
        ...period,
        group_based_on: isHome ? 'Batch' : 'Course',
        ...(isHome ? { program: course } : { course }),
        disabled: isGone(row) ? 1 : 0,
        students,
        instructors,
      })
    }
  }

  /** The year of a class, and its term where it has one. */
  async #findPeriod(row: BundleRow, termId: string | undefined) {
    const [onlyYear] = this.#years
    if (termId === undefined) {
      if (onlyYear !== undefined) return { academic_year: onlyYear.name, academic_term: null }
      this.#faults.add(row, 'termSourcedIds', 'required', 'A class needs a term.')
      return null
    }
    const findTermYear = this.#names.get(`Academic Year ${termId.replace(/_term$/, '')}`)
    if (findTermYear !== undefined) return { academic_year: findTermYear, academic_term: null }
    const term = await this.#named(row, stored.term, 'termSourcedIds', termId)
    if (term === null) return null
    const found = await this.#engine.find(academicTerm, term)
    return found === null ? null : { academic_year: found.academic_year, academic_term: term }
  }

  /** The members of each class, from all its enrolments. */
  async #readMembers() {
    const members = new Map<string, { students: Record<string, unknown>[]; instructors: Record<string, unknown>[] }>()
    for await (const row of this.#bundle.rows('enrollments')) {
      const classId = required(row, this.#faults, 'classSourcedId', 'classId')
      const user = required(row, this.#faults, 'userSourcedId', 'userId')
      const role = readCell(row, 'role')?.toLowerCase()
      if (classId === null || user === null || isGone(row)) continue
      const entry = members.get(classId) ?? { students: [], instructors: [] }
      members.set(classId, entry)
      if (role === 'student') {
        const name = await this.#named(row, stored.student, 'userSourcedId', user)
        if (name === null) continue
        const to = lastDay(readDay(row, this.#faults, 'endDate'))
        entry.students.push({
          student: name,
          from_date: readDay(row, this.#faults, 'beginDate'),
          to_date: to,
          active: 1,
        })
      } else if (role === 'teacher') {
        const name = await this.#named(row, stored.instructor, 'userSourcedId', user)
        if (name !== null) entry.instructors.push({ instructor: name })
      }
    }
    return members
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

function getPerson(role: string): Person | null {
  const lower = role.toLowerCase()
  if (lower === 'student') return 'student'
  if (['teacher', 'aide', 'proctor'].includes(lower)) return 'instructor'
  return ['guardian', 'parent', 'relative'].includes(lower) ? 'guardian' : null
}

function getFields(
  row: BundleRow,
  person: Person,
  { given, family }: { readonly given: string; readonly family: string },
  facts: { readonly date_of_birth: string | null; readonly gender: string | null } | undefined,
): Record<string, unknown> {
  const email = readCell(row, 'email')
  const phone = readCell(row, 'sms', 'phone')
  const full = given === family ? given : `${given} ${family}`
  if (person === 'instructor') return { instructor_name: full, status: isGone(row) ? 'Left' : 'Active' }
  if (person === 'guardian') {
    return {
      guardian_name: full,
      ...(email !== null && { email_address: email }),
      ...(phone !== null && { mobile_number: phone }),
    }
  }
  return {
    first_name: given,
    middle_name: readCell(row, 'middleName'),
    last_name: family,
    ...(email !== null && { student_email_id: email }),
    ...(phone !== null && { student_mobile_number: phone }),
    ...(facts !== undefined && { date_of_birth: facts.date_of_birth, gender: facts.gender }),
  }
}
