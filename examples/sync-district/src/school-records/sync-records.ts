import type { Remark } from '../files/interchange.ts'
import type { SchoolFiles } from '../files/school-files.ts'
import { difference, type Fields, withoutNulls } from '../run/difference.ts'
import type { RecordKind } from '../run/report.ts'
import { syncRows } from '../run/run.ts'
import type { Student } from '../run/tenant-records.ts'
import type { RecordFilter } from './record-client.ts'
import { type RecordRun, send } from './record-run.ts'
import { readSchoolRecords, type StoredDocument, type StoredDocuments } from './school-records.ts'
import { syncAttendance } from './sync-attendance.ts'
import { syncGroups } from './sync-groups.ts'
import { type WantedRecord, wantedCourses, wantedInstructors, wantedTerms, wantedYears } from './wanted-records.ts'

/**
 * Brings the records of teaching in step with the files: what there is, and only then what names it. The students are those
 * of the Client API, by externalId.
 */
export async function syncRecords(
  run: RecordRun,
  files: SchoolFiles,
  students: ReadonlyMap<string, Student>,
): Promise<void> {
  const validationErrors: Remark[] = [...files.faults]
  const instructors = wantedInstructors(files, validationErrors)
  for (const { place: location, code, detail } of files.notes) run.report.note(location, code, detail)
  for (const { place: location, code, detail } of validationErrors) run.report.fail(location, code, detail)
  const stored = await readSchoolRecords(run.records)
  await syncType(run, 'years', 'Academic Year', wantedYears(files), stored.years)
  await syncType(run, 'terms', 'Academic Term', wantedTerms(files), stored.terms)
  await syncType(run, 'courses', 'Course', wantedCourses(files), stored.courses)
  await syncType(run, 'instructors', 'Instructor', instructors, stored.instructors)
  await syncGroups(run, files, students, stored)
  await syncAttendance(run, files, students)
}

/** Brings the records of a type in step, and keeps the names of new ones among those that are stored. */
async function syncType(
  run: RecordRun,
  kind: RecordKind,
  type: string,
  wanted: readonly WantedRecord[],
  stored: StoredDocuments,
): Promise<void> {
  const isInStep = (record: WantedRecord) => findChange(record, stored.get(record.key)) === null
  await syncRows(run, kind, wanted, isInStep, async (record) => {
    const before = stored.get(record.key)
    const change = findChange(record, before) ?? {}
    const name = await send(run, kind, type, before, change, getFilters(record.fields))
    stored.set(record.key, { ...before, ...change, name })
  })
}

/** The filters that find a new record of these fields. */
function getFilters(fields: Fields): RecordFilter[] {
  return Object.entries(withoutNulls(fields)).map(([field, value]) => [field, '=', String(value)])
}

function findChange({ fields }: WantedRecord, stored: StoredDocument | undefined): Fields | null {
  return stored === undefined ? withoutNulls(fields) : difference(fields, stored)
}
