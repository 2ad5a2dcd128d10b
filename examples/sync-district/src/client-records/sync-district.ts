import type { Interchange } from '../files/interchange.ts'
import type { Run } from '../run/run.ts'
import type { Student } from '../run/tenant-records.ts'
import { readTenant } from '../run/tenant-records.ts'
import { syncApplications } from './sync-applications.ts'
import { syncPayments, type Tuition } from './sync-payments.ts'
import { syncStudents } from './sync-students.ts'

/**
 * Brings the tenant in step with the files: reads what it has, compares, and sends what differs. A run that was stopped, in
 * whatever way, is gone on with by the next, which finds what is there and needs no memory of its own. Answers the students of the tenant, by externalId.
 */
export async function syncDistrict(
  run: Run,
  { students, faults: validationErrors, notes }: Interchange,
  tuition: Tuition,
): Promise<ReadonlyMap<string, Student>> {
  for (const { place: location, code, detail } of notes) run.report.note(location, code, detail)
  for (const { place: location, code, detail } of validationErrors) run.report.fail(location, code, detail)
  const records = await readTenant(run.client)
  // Applications and payments name their students.
  await syncStudents(run, students, records)
  await syncApplications(run, students, records)
  await syncPayments(run, students, tuition, records)
  return records.students
}
