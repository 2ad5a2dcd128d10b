import { course, program } from '@matricula/contract/record-types'
import { sql, table } from '../../database/index.ts'
import { readBack } from '../../entities/index.ts'
import {
  defineRecord,
  getRowName,
  ownValues,
  type RecordDefinition,
  type RecordOf,
  type RecordStorage,
  type RecordWork,
  removeRow,
  sharedValues,
} from '../../record-engine/index.ts'
import { newId } from '../../values/index.ts'
import { type ProgramRecord, programColumns, programFields, programs, programTable } from './program-store.ts'
import { emptyProgram, type ProgramFields, storedProgram, withDerived } from './program-values.ts'

type ProgramDocument = RecordOf<typeof program>

/** The fields that only this surface shows, by column. */
const ownColumns = {
  owner: 'owner',
  hero_image: 'hero_image',
  program_abbreviation: 'program_abbreviation',
  allow_self_enroll: 'allow_self_enroll',
} as const

const recordTable = table('programs', { ...programColumns, ...ownColumns }, 'name')

function findValues(document: ProgramDocument, fields: ProgramFields) {
  const written = { ...fields, ...sharedValues(document, programFields) }
  return { ...withDerived(written, document.modified_by), ...ownValues(document, ownColumns) }
}

/** Programs are kept as the Client API's own; their courses are its links of courses to programs. */
const storage: RecordStorage<typeof program, ProgramRecord> = {
  relation: 'program_records',
  table: 'programs',
  list: programs,
  rowRelations: { courses: 'program_course_rows' },
  linkColumns: { department: { table: 'programs', column: 'department' } },
  insert: async (work, id, document) => {
    const values = findValues(document, { ...emptyProgram, name: document.name })
    const inserted = await work.tx.query(
      sql`${recordTable.insert(work.tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
    )
    if (inserted.length === 0) return false
    await storeCourses(work, id, document.courses, [])
    return true
  },
  update: async (work, id, document, before, shared) => {
    const stored = storedProgram(shared as ProgramRecord)
    await work.tx.query(recordTable.update(work.tx.tenantId, id, findValues(document, stored), stored))
    await storeCourses(work, id, document.courses, before.courses)
  },
  remove: async (work, id, document) => {
    await storeCourses(work, id, [], document.courses)
    await removeRow(work.tx, 'programs', id, `Program ${document.name}`)
  },
  rename: async ({ tx, caller }, id, name, shared) => {
    const stored = storedProgram(shared as ProgramRecord)
    await tx.query(programTable.update(tx.tenantId, id, withDerived({ ...stored, name }, caller.user)))
  },
  read: async ({ tx }, id) => (await readBack(tx, programs, id)).record,
  ownFields: [...Object.keys(ownColumns), 'courses'],
  eventType: (verb) => (verb === 'renamed' ? 'program.updated' : null),
}

type Row = ProgramDocument['courses'][number]

/** Makes the courses of a program those of its rows. A course that comes or goes reads differently from then on. */
async function storeCourses(work: RecordWork, id: string, rows: readonly Row[], before: readonly Row[]): Promise<void> {
  const names = (of: readonly Row[]) => of.flatMap(({ course: name }) => name ?? [])
  const [now, earlier] = [names(rows), names(before)]
  const touched = [...now.filter((name) => !earlier.includes(name)), ...earlier.filter((name) => !now.includes(name))]
  await work.touch(course, touched, async () => {
    const { tx } = work
    const stored = await tx.query<{ id: string }>(sql`
      select id from program_courses where tenant_id = ${tx.tenantId} and program_id = ${id}`)
    const idsByName = new Map(stored.map((link) => [getRowName(link.id), link.id]))
    const links = rows.map((row, index) => {
      const linkId = idsByName.get(row.name) ?? newId()
      row.name = getRowName(linkId)
      return { id: linkId, course: row.course, position: index + 1, is_required: row.required === 1 }
    })
    tx.send(sql`
      delete from program_courses
       where tenant_id = ${tx.tenantId} and program_id = ${id} and id <> all(${links.map((link) => link.id)}::uuid[])`)
    tx.send(sql`
      insert into program_courses (tenant_id, id, program_id, course_id, position, is_required)
      select ${tx.tenantId}, l.id, ${id}, c.id, l.position, l.is_required
        from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
             l(id uuid, course text, position integer, is_required boolean)
        join courses c on c.tenant_id = ${tx.tenantId} and c.name = l.course
      on conflict (tenant_id, id)
      do update set course_id = excluded.course_id, position = excluded.position, is_required = excluded.is_required,
                    updated_at = excluded.updated_at`)
  })
}

/**
 * Makes the rows of programs that name a course by its id name another one, into which it is merged. Both the programs and
 * that course read differently from then on.
 */
export async function moveCourseRows(work: RecordWork, fromId: string, intoId: string): Promise<void> {
  const { tx } = work
  const holding = await work.select(
    program,
    sql`r.id in (select l.program_id from program_courses l where l.tenant_id = ${tx.tenantId} and l.course_id = ${fromId})`,
  )
  if (holding.length === 0) return
  const merged = await work.select(course, sql`r.id = ${intoId}`)
  const moved = async () =>
    tx.send(sql`
      update program_courses set course_id = ${intoId}, updated_at = current_stamp()
       where tenant_id = ${tx.tenantId} and course_id = ${fromId}`)
  const names = (records: readonly { readonly name: string }[]) => records.map(({ name }) => name)
  await work.touch(course, names(merged), () => work.touch(program, names(holding), moved))
}

/** The programs of the institution. */
export const programRecords: readonly RecordDefinition[] = [defineRecord(program, { storage })]
