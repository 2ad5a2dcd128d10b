import { studentGroup } from '@matricula/contract/record-types'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'
import { enabledByName, enrolledStudents } from '../enrollment/index.ts'
import { recountSchedules } from '../fees/index.ts'
import { loadEducationSettings } from '../settings/index.ts'

type Group = RecordOf<typeof studentGroup>

const refusal = (message: string) => new RecordError('ValidationError', message)

function requireBasis({ group_based_on: basis, course, batch, program }: Group): void {
  if (basis === 'Course' && !course) throw refusal('Select the Course that the group is based on.')
  if (basis === 'Course' && batch && !program) throw refusal('Select the Program that the batch belongs to.')
  if (basis === 'Batch' && !program) throw refusal('Select the Program whose batch the group is.')
}

function requireStrength({ max_strength: max, students }: Group): void {
  if (max < 0) throw refusal('Max Strength cannot be less than zero. Leave it at 0 for a group without a bound.')
  if (max > 0 && students.length > max) {
    throw refusal(`Cannot enroll more than ${max} students in this group. Raise Max Strength or remove students.`)
  }
}

async function requireStudentsAllowed(document: Group, work: RecordWork): Promise<void> {
  const { students, group_based_on: basis, disabled } = document
  if (students.length === 0) return
  const enrolled = await requiredEnrollments(document, work)
  const enabled = await enabledByName(
    work,
    students.map(({ student }) => student).filter((name) => name !== null),
  )
  for (const { idx, student, student_name, active } of students) {
    if (student === null) continue
    const reported = `Row #${idx}: ${student} ${student_name ?? ''}`.trimEnd()
    if (disabled !== 1 && active === 1 && enabled.get(student) === false) {
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
    row.group_roll_number ||= ++highest
    if (taken.has(row.group_roll_number)) {
      throw refusal(
        `Row #${row.idx}: the group roll number ${row.group_roll_number} is another student's. Choose another, or leave it empty.`,
      )
    }
    taken.add(row.group_roll_number)
  }
}

function requireStudentsOnce({ students }: Group): void {
  const rows = new Map<string, number>()
  for (const { student, student_name, idx } of students) {
    if (student === null) continue
    const other = rows.get(student)
    if (other !== undefined) {
      throw refusal(`${student_name ?? student} is in the rows ${other} and ${idx}. Remove one of them.`)
    }
    rows.set(student, idx)
  }
}

/** The schedules of fees count who is in the group. */
async function recount({ name, students }: Group, work: RecordWork, before: Group | null): Promise<void> {
  const getMembers = (group: Group['students']) => JSON.stringify(group.map(({ student, active }) => [student, active]))
  if (before !== null && getMembers(before.students) !== getMembers(students)) await recountSchedules([name], work)
}

/** Those who are taught together. */
export const groupRecords: readonly RecordDefinition[] = [
  defineRecord(studentGroup, {
    rules: {
      validate: [
        requireTermOfYear,
        requireBasis,
        requireStrength,
        requireStudentsAllowed,
        setRollNumbers,
        requireStudentsOnce,
      ],
      afterSave: [recount],
    },
  }),
]
