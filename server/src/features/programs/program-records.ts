import { course, program } from '@matricula/contract/record-types'
import { sql, table } from '../../database/index.ts'
import { newId } from '../../platform/ids.ts'
import { readBack } from '../../platform/reading.ts'
import { defineRecord, type RecordDefinition, type RecordStorage } from '../../records/record-definition.ts'
import type { RecordOf } from '../../records/record-document.ts'
import { RecordError } from '../../records/record-error.ts'
import { rowNameOf } from '../../records/record-names.ts'
import type { RecordWork } from '../../records/record-work.ts'
import { ownValues, removeRow, sharedSnapshot } from '../../records/shared-records.ts'
import { programColumns, programs, programTable } from './program-store.ts'
import { emptyProgram, type ProgramFields, storedProgram, withDerived } from './program-values.ts'

type ProgramDocument = RecordOf<typeof program>

/** The fields that only this surface shows, by column. */
const ownColumns = {
  owner: 'owner',
  department: 'department',
  hero_image: 'hero_image',
  program_abbreviation: 'program_abbreviation',
  allow_self_enroll: 'allow_self_enroll',
} as const

const recordTable = table('programs', { ...programColumns, ...ownColumns })

function valuesOf(document: ProgramDocument, fields: ProgramFields) {
  return { ...withDerived(fields, document.modified_by), ...ownValues(document, ownColumns) }
}

/** Programs are kept as the Client API's own; their courses are its links of courses to programs. */
const storage: RecordStorage<typeof program> = {
  relation: 'program_records',
  table: 'programs',
  rowRelations: { courses: 'program_course_rows' },
  linkColumns: { department: { table: 'programs', column: 'department' } },
  insert: async (work, id, document) => {
    const values = valuesOf(document, { ...emptyProgram, name: document.name })
    const inserted = await work.tx.query(
      sql`${recordTable.insert(work.tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
    )
    if (inserted.length === 0) return false
    await storeCourses(work, id, document.courses, [])
    return true
  },
  update: async (work, id, document, before) => {
    const { record } = await readBack(work.tx, programs, id)
    await work.tx.query(recordTable.update(work.tx.tenantId, id, valuesOf(document, storedProgram(record))))
    await storeCourses(work, id, document.courses, before.courses)
  },
  remove: async (work, id, document) => {
    await storeCourses(work, id, [], document.courses)
    await removeRow(work.tx, 'programs', id, `Program ${document.name}`)
  },
  rename: async ({ tx, caller }, id, name) => {
    const { record } = await readBack(tx, programs, id)
    await tx.query(programTable.update(tx.tenantId, id, withDerived({ ...storedProgram(record), name }, caller.user)))
  },
  snapshot: async (work, id) => {
    const { record } = await readBack(work.tx, programs, id)
    return sharedSnapshot(work, program, record.name, record, [...Object.keys(ownColumns), 'courses'])
  },
  eventType: (verb) => (verb === 'renamed' ? 'program.updated' : null),
}

type Row = ProgramDocument['courses'][number]

/** Makes the courses of a program those of its rows. A course that comes or goes reads differently from then on. */
async function storeCourses(work: RecordWork, id: string, rows: readonly Row[], before: readonly Row[]): Promise<void> {
  const names = (of: readonly Row[]) => of.flatMap(({ course: name }) => name ?? [])
  const [now, earlier] = [names(rows), names(before)]
  const twice = now.find((name, index) => now.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new RecordError('ValidationError', `The course ${twice} is listed twice. A program has each course once.`)
  }
  const touched = [...now.filter((name) => !earlier.includes(name)), ...earlier.filter((name) => !now.includes(name))]
  await work.touch(course, touched, async () => {
    work.tx.send(sql`
      delete from program_courses l using courses c
       where l.tenant_id = ${work.tx.tenantId} and l.program_id = ${id}
         and c.tenant_id = l.tenant_id and c.id = l.course_id and c.name <> all(${now}::text[])`)
    for (const [index, row] of rows.entries()) {
      const linkId = newId()
      const [stored] = await work.tx.query<{ id: string }>(sql`
        insert into program_courses (tenant_id, id, program_id, course_id, position, is_required)
        select ${work.tx.tenantId}, ${linkId}, ${id}, c.id, ${index + 1}, ${row.required === 1}
          from courses c where c.tenant_id = ${work.tx.tenantId} and c.name = ${row.course}
        on conflict on constraint program_courses_program_course_key
        do update set position = excluded.position, is_required = excluded.is_required, updated_at = current_stamp()
        returning id`)
      row.name = rowNameOf(stored?.id ?? linkId)
    }
  })
}

/** The programs of the institution. */
export const programRecords: readonly RecordDefinition[] = [defineRecord(program, { storage })]
