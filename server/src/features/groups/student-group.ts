import { studentGroup, student as studentType } from '@matricula/contract/record-types'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { findDaysOfGroup, requireGroupKeepsDays, requireTermOfYear } from '../calendar/index.ts'
import { enabledByName, enrolledStudents } from '../enrollment/index.ts'
import { recountSchedules } from '../fees/index.ts'
import { sharesDays } from '../membership/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import { requireStrength } from './strength-rule.ts'
import { offerPlaces, waitingListRecord } from './waiting-list/index.ts'

type Group = RecordOf<typeof studentGroup>

const refusal = (message: string) => new RecordError('ValidationError', message)

function requireBasis({ group_based_on: basis, course, batch, program }: Group): void {
  if (basis === 'Course' && !course) throw refusal('Select the Course that the group is based on.')
  if (basis === 'Course' && batch && !program) throw refusal('Select the Program that the batch belongs to.')
  if (basis === 'Batch' && !program) throw refusal('Select the Program whose batch the group is.')
}

/** Who was in the group before may have been disabled since, and is no reason to refuse another change of it. */
async function requireStudentsAllowed(document: Group, work: RecordWork, before: Group | null): Promise<void> {
  const { students, group_based_on: basis, disabled } = document
  if (students.length === 0) return
  const enrolled = await requiredEnrollments(document, work)
  const enabled = await enabledByName(
    work,
    students.map(({ student }) => student).filter((name) => name !== null),
  )
  const known = new Set(before?.students.flatMap((row) => (row.active === 1 ? [row.name] : [])))
  for (const { name, idx, student, student_name, active } of students) {
    if (student === null) continue
    const reported = `Row #${idx}: ${student} ${student_name ?? ''}`.trimEnd()
    if (disabled !== 1 && active === 1 && !known.has(name) && enabled.get(student) === false) {
      throw refusal(`${reported} is disabled. Make the row inactive, or enable the student.`)
    }
    if (enrolled !== null && !enrolled.has(student)) {
      const where =
        basis === 'Batch' ? `the batch ${document.batch ?? document.program}` : `the course ${document.course}`
      throw refusal(`${reported} is not enrolled in ${where}. Enroll the student first, or remove the row.`)
    }
  }
}

/** The students who may be in the group, or null where the institution does not want to be asked. */
async function requiredEnrollments(document: Group, work: RecordWork): Promise<ReadonlySet<string> | null> {
  const { group_based_on: basis } = document
  const settings = await loadEducationSettings(work)
  const isAsked =
    (basis === 'Batch' && settings.validate_batch === 1) || (basis === 'Course' && settings.validate_course === 1)
  if (!isAsked) return null
  return new Set((await enrolledStudents(work, document)).map(({ student }) => student))
}

/** Students without a roll number get the ones after the highest, in the order of the rows. */
async function setRollNumbers({ students }: Group): Promise<void> {
  let highest = Math.max(0, ...students.map(({ group_roll_number }) => group_roll_number))
  const taken = new Set<number>()
  for (const row of students) {
    if (row.group_roll_number < 0) {
      throw refusal(`Row #${row.idx}: the group roll number ${row.group_roll_number} cannot be less than 0.`)
    }
    row.group_roll_number ||= ++highest
    if (taken.has(row.group_roll_number)) {
      throw refusal(
        `Row #${row.idx}: the group roll number ${row.group_roll_number} is another student's. Choose another, or leave it empty.`,
      )
    }
    taken.add(row.group_roll_number)
  }
}

function requireDatesInOrder({ students }: Group): void {
  for (const { idx, student, from_date: from, to_date: to } of students) {
    if (from === null || to === null || from <= to) continue
    throw refusal(`Row #${idx}: ${student} cannot leave on ${to}, before joining on ${from}. Correct one of the dates.`)
  }
}

/** Whoever is in the group for no day of its term or year, or of no day before leaving, would stand on no roll. */
async function requireDaysInYear(group: Group, work: RecordWork, before: Group | null): Promise<void> {
  const known = new Map(before?.students.map((row) => [row.name, row]))
  const isNew = (row: Group['students'][number]) => {
    const stored = known.get(row.name)
    return stored?.from_date !== row.from_date || stored.to_date !== row.to_date
  }
  const dated = group.students.filter((row) => (row.from_date !== null || row.to_date !== null) && isNew(row))
  if (dated.length === 0) return
  for (const { idx, student: name, from_date: from, active } of dated) {
    const left = active === 1 ? ((await work.linked(studentType, name))?.date_of_leaving ?? null) : null
    if (left === null || from === null || from < left) continue
    throw refusal(
      `Row #${idx}: ${name} left on ${left}, and cannot join on ${from}. Correct one of the dates, or remove the row.`,
    )
  }
  const days = await findDaysOfGroup(work, group)
  if (days === null) return
  const outside = dated.find((row) => !sharesDays(row, { from_date: days.start, to_date: days.end }))
  if (outside === undefined) return
  throw refusal(
    `Row #${outside.idx}: the days of ${outside.student} lie outside the ${days.of} (${days.start} to ${days.end}). Correct the dates.`,
  )
}

function requireInstructorsOnce({ instructors }: Group): void {
  const known = new Set<string | null>()
  for (const { idx, instructor } of instructors) {
    if (known.has(instructor))
      throw refusal(`Row #${idx}: the instructor ${instructor} is listed already. Remove the row.`)
    known.add(instructor)
  }
}

/** A student may leave a group and come back: the rows of one student share no day. */
function requireStudentsOnce({ students }: Group): void {
  const known = new Map<string, Group['students']>()
  for (const row of students) {
    if (row.student === null) continue
    const others = known.get(row.student) ?? []
    const other = others.find((each) => sharesDays(each, row))
    if (other !== undefined) {
      const named = row.student_name ?? row.student
      throw refusal(`${named} is in the rows ${other.idx} and ${row.idx} on the same days. Remove one of them.`)
    }
    known.set(row.student, [...others, row])
  }
}

/** A place that became free is for the first who waits, and who was added waits no more. */
async function offerFreePlaces({ name }: Group, work: RecordWork): Promise<void> {
  await offerPlaces(work, name)
}

/** The schedules of fees count who is in the group. */
async function recount({ name, students }: Group, work: RecordWork, before: Group | null): Promise<void> {
  const getMembers = (group: Group['students']) =>
    JSON.stringify(group.map(({ student, active, from_date, to_date }) => [student, active, from_date, to_date]))
  if (before !== null && getMembers(before.students) !== getMembers(students)) await recountSchedules([name], work)
}

/** Those who are taught together, and who waits for a place there. */
export const groupRecords: readonly RecordDefinition[] = [
  defineRecord(studentGroup, {
    rules: {
      validate: [
        requireTermOfYear,
        requireGroupKeepsDays,
        requireBasis,
        requireStrength,
        requireStudentsAllowed,
        setRollNumbers,
        requireDatesInOrder,
        requireDaysInYear,
        requireStudentsOnce,
        requireInstructorsOnce,
      ],
      afterSave: [offerFreePlaces, recount],
    },
  }),
  waitingListRecord,
]
