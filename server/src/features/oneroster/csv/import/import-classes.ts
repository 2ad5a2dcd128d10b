import { academicTerm } from '@matricula/contract/record-types'
import { type ClassMembers, getMemberRows } from '../bundle-members.ts'
import type { BundleRow } from '../bundle-reader.ts'
import { isGone, lastDay, readCell, readDay, readList, required } from '../bundle-values.ts'
import type { Enrolled } from '../import-target.ts'
import { readUnmapped } from '../row-metadata.ts'
import { type BundleState, courses, programs, stored } from './bundle-state.ts'

/** Groups with their members. */
export async function importClasses(state: BundleState): Promise<void> {
  const members = await readMembers(state)
  const isBulk = state.bundle.isBulk('enrollments')
  for await (const row of state.bundle.rows('classes')) {
    const sourcedId = required(row, state.faults, 'sourcedId')
    const title = required(row, state.faults, 'title')
    const courseId = required(row, state.faults, 'courseSourcedId', 'courseId')
    if (sourcedId === null || title === null || courseId === null) continue
    if (isGone(row)) {
      await state.endRow(stored.group, sourcedId)
      members.delete(sourcedId)
      continue
    }
    await state.requireOrgs(row, 'schoolSourcedId', 'schoolId')
    state.present.class.add(sourcedId)
    const [termId] = readList(readCell(row, 'termSourcedIds', 'terms', 'termSourcedId'))
    const period = await findPeriod(state, row, termId)
    if (period === null) continue
    const { isHome, course } = await findCourse(state, courseId)
    if (course === null) {
      state.faults.add(
        row,
        'courseSourcedId',
        'reference_not_found',
        `${courseId} is neither among the courses of the bundle nor among the records.`,
      )
      continue
    }
    const known = await state.records.find(stored.group, sourcedId)
    const changes = members.get(sourcedId) ?? {
      students: new Map(),
      instructors: new Map(),
      lead: null,
      enrolled: [] as Enrolled[],
    }
    members.delete(sourcedId)
    const fields = {
      student_group_name: title,
      ...period,
      group_based_on: isHome ? 'Batch' : 'Course',
      ...(isHome ? { program: course } : { course }),
      ...(await getMemberRows(state.engine, known?.name ?? null, changes, isBulk)),
    }
    const saved = await state.save(row, stored.group, sourcedId, fields, readUnmapped(row, 'location', 'periods'))
    if (saved !== null) await state.records.rememberEnrollments(saved, changes.enrolled)
  }
  for (const [sourcedId, { row, ...changes }] of members) {
    const known = await state.records.find(stored.group, sourcedId)
    if (known !== null && isBulk) continue
    if (known === null) state.faultOfReference(row, 'classSourcedId', sourcedId)
    else {
      const rows = await getMemberRows(state.engine, known.name, changes, false)
      await state.save(row, stored.group, sourcedId, rows, null)
      await state.records.rememberEnrollments(known.name, changes.enrolled)
    }
  }
}

/** The year of a class, and its term where it has one. */
async function findPeriod(state: BundleState, row: BundleRow, termId: string | undefined) {
  const [onlyYear] = state.years
  if (termId === undefined) {
    if (onlyYear !== undefined) return { academic_year: onlyYear.name, academic_term: null }
    state.faults.add(row, 'termSourcedIds', 'required', 'A class needs a term.')
    return null
  }
  const findTermYear = state.names.get(`Academic Year ${termId.replace(/_term$/, '')}`)
  if (findTermYear !== undefined) return { academic_year: findTermYear, academic_term: null }
  const term = await state.named(row, stored.term, 'termSourcedIds', termId)
  if (term === null) return null
  const found = await state.engine.find(academicTerm, term)
  return found === null ? null : { academic_year: found.academic_year, academic_term: term }
}

/** The members of each class, from all its enrolments, with the first row that names it. */
async function readMembers(state: BundleState) {
  const members = new Map<string, ClassMembers & { readonly row: BundleRow; readonly enrolled: Enrolled[] }>()
  for await (const row of state.bundle.rows('enrollments')) {
    const classId = required(row, state.faults, 'classSourcedId', 'classId')
    const user = required(row, state.faults, 'userSourcedId', 'userId')
    const role = readCell(row, 'role')?.toLowerCase()
    if (classId === null || user === null || (role !== 'student' && role !== 'teacher')) continue
    const entry = members.get(classId) ?? {
      students: new Map(),
      instructors: new Map(),
      lead: null,
      row,
      enrolled: [] as Enrolled[],
    }
    members.set(classId, entry)
    const of = role === 'student' ? stored.student : stored.instructor
    const rows = role === 'student' ? entry.students : entry.instructors
    if (isGone(row)) {
      const known = await state.records.find(of, user)
      if (known !== null && !rows.has(known.name)) rows.set(known.name, null)
      continue
    }
    const name = await state.named(row, of, 'userSourcedId', user)
    if (name === null) continue
    const days = {
      from_date: readDay(row, state.faults, 'beginDate'),
      to_date: lastDay(readDay(row, state.faults, 'endDate')),
    }
    const sourcedId = readCell(row, 'sourcedId')
    if (sourcedId !== null) entry.enrolled.push({ role, name, sourced_id: sourcedId })
    const active = state.disabledUsers.has(user) ? 0 : 1
    rows.set(name, role === 'student' ? { student: name, ...days, active } : { instructor: name })
    if (role === 'teacher' && readCell(row, 'primary')?.toLowerCase() === 'true') entry.lead ??= name
  }
  return members
}

/** The course or the program of a class, from this bundle or an earlier one. */
async function findCourse(state: BundleState, sourcedId: string) {
  const isHome = state.homes.has(sourcedId)
  const inBundle = state.names.get(`${isHome ? 'Program' : 'Course'} ${sourcedId}`)
  if (inBundle !== undefined) return { isHome, course: inBundle }
  const course = await state.records.find(courses, sourcedId)
  if (course !== null) return { isHome: false, course: course.name }
  const program = await state.records.find(programs, sourcedId)
  return { isHome: true, course: program?.name ?? null }
}
