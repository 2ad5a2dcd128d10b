import { FrappeApp } from 'frappe-js-sdk'
import type { TestService } from '../../../../server/dist/testing/fixtures/test-service.js'
import type { AnyRecord } from './tenant-state.ts'

/** The records of teaching, each as the Resource and Method API lists it, by name. */
export type SchoolState = Readonly<Record<string, ReadonlyMap<string, AnyRecord>>>

const types = ['Academic Year', 'Academic Term', 'Course', 'Instructor', 'Student Group', 'Student Attendance']

/** Reads the records of a tenant with its key. */
export function getRecords(service: TestService, key: string) {
  return new FrappeApp(service.address, { useToken: true, token: () => key, type: 'Bearer' }).db()
}

/** Every record that a run can make. */
export async function loadSchoolState(service: TestService, key: string): Promise<SchoolState> {
  const db = getRecords(service, key)
  const lists = types.map(async (type): Promise<[string, Map<string, AnyRecord>]> => {
    const rows = await db.getDocList<AnyRecord>(type, { fields: ['*'], limit: 0 })
    return [type, new Map(rows.map((row) => [row.name, row]))]
  })
  return Object.fromEntries(await Promise.all(lists))
}

/** The names of records that are new in a state, or changed since the one before, by type. */
export function touchedRecords(before: SchoolState, after: SchoolState): Record<string, string[]> {
  const touched = Object.entries(after).map(([type, records]) => [
    type,
    [...records].flatMap(([name, { modified }]) => (before[type]?.get(name)?.modified === modified ? [] : [name])),
  ])
  return Object.fromEntries(touched.filter(([, names]) => names?.length))
}

/** How many records of each type a state has. */
export function getSizes(state: SchoolState): Record<string, number> {
  return Object.fromEntries(Object.entries(state).map(([type, records]) => [type, records.size]))
}
