import {
  courseActivity,
  guardian,
  paymentRecord,
  studentLog,
  student as studentType,
  toDo,
} from '@matricula/contract/record-types'
import type { Plan } from '../plan.ts'
import { academicYearName, calendarDate, day, hour, stamp } from '../records/calendar.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import type { CourseReader, Enrolled } from './enrollments.ts'
import { groupedBy } from './groups.ts'
import { loadQuizzes } from './quizzes.ts'
import type { RecordLoader } from './record-loader.ts'
import { articlesOfDemo } from './subject-matter.ts'

const notes = [
  ['General', 'Came with the parents to talk about the choice of courses for next year.'],
  ['Academic', 'Asked for additional exercises and handed all of them in.'],
  ['Academic', 'Needs help with the homework; a tutor was found for Tuesdays.'],
  ['Medical', 'Felt unwell after sports, rested in the infirmary and was fetched at noon.'],
  ['Achievement', 'Won the second prize of the regional science fair with a group of three.'],
  ['Achievement', 'Read a text of their own at the spring concert.'],
] as const

const interests = ['Parents’ council', 'School garden', 'Reading to children', 'Choir', 'Career day'] as const

/** Loads what is noted about the shown students and what they did: logs, brothers and sisters, reading, card payments. */
export async function loadStudentLife(
  plan: Plan,
  calendar: AcademicCalendar,
  shown: readonly Enrolled[],
  loader: RecordLoader,
): Promise<void> {
  const { term } = calendar
  const active = shown.filter(({ student: { status } }) => status === 'active')
  const recorded = active.filter((_, position) => position % 5 === 2)
  await loader.add(
    studentLog,
    recorded.map((member, position) => {
      const [type, log] = notes[position % notes.length] as (typeof notes)[number]
      const moment = getMoment(plan, member, position)
      return {
        moment,
        fields: {
          student: member.code,
          student_name: member.name,
          type,
          date: calendarDate(moment),
          academic_year: academicYearName(term.year),
          academic_term: term.name,
          program: member.program.name,
          student_batch: member.batch,
          log: `<p>${log}</p>`,
        },
      }
    }),
  )
  await loadSiblings(plan, shown, loader)
  const contacts = new Set(
    active.flatMap(({ student: { family } }) => family.relatives.map(({ contactId }) => contactId)),
  )
  await loader.addRows(
    'guardians_interests',
    guardian.fields.interests.rows,
    plan.end - 30 * day,
    [...contacts]
      .filter((_, position) => position % 7 === 3)
      .map((parentId, position) => ({
        parentId,
        idx: 1,
        fields: { interest: interests[position % interests.length] as string },
      })),
  )
  await loadCardPayments(plan, active, loader)
}

/** What students read and answered in their courses, given the names of the course enrolments. */
export async function loadActivities(
  plan: Plan,
  readers: readonly CourseReader[],
  loader: RecordLoader,
): Promise<void> {
  await loader.add(
    courseActivity,
    readers.map(({ member, course, enrollment }, position) => {
      const moment = getMoment(plan, member, position)
      return {
        moment,
        fields: {
          enrollment,
          course,
          student: member.code,
          content_type: 'Article',
          content: articlesOfDemo[position % articlesOfDemo.length]?.title as string,
          activity_date: stamp(moment).slice(0, 19).replace('T', ' '),
        },
      }
    }),
  )
  await loadQuizzes(plan, readers, loader)
}

async function loadSiblings(plan: Plan, shown: readonly Enrolled[], loader: RecordLoader): Promise<void> {
  const families = groupedBy(shown, ({ student: { family } }) => String(family.index))
  const rows = [...families.values()].flatMap((children) =>
    children.flatMap((child) =>
      children
        .filter((other) => other !== child)
        .map((other, position) => ({
          parentId: child.student.id,
          idx: position + 1,
          fields: {
            studying_in_same_institute: 'YES',
            full_name: other.name,
            gender: other.student.child.gender,
            student: other.code,
            program: other.program.name,
            date_of_birth: calendarDate(other.student.child.born),
          },
        })),
    ),
  )
  await loader.addRows('students_siblings', studentType.fields.siblings.rows, plan.end - 20 * day, rows)
}

async function loadCardPayments(plan: Plan, active: readonly Enrolled[], loader: RecordLoader): Promise<void> {
  const payers = active.slice(0, 12)
  const made = await loader.add(
    paymentRecord,
    payers.map(({ code, student: { email, phone, family } }, position) => {
      const isDone = position % 4 !== 3
      const random = plan.random.of('card payment', position)
      return {
        moment: plan.end - (20 - position) * day,
        fields: {
          student: code,
          mobile: phone,
          email,
          status: isDone ? 'Captured' : 'Failed',
          order_id: `order_${random.filled('#@##@@#@##')}`,
          payment_id: isDone ? `pay_${random.filled('@##@@#@##@')}` : null,
          failure_description: isDone ? null : 'The card was declined by its bank.',
          amount: random.between(5, 40) * 10,
          currency: plan.currency,
          address_line_1: family.address,
          pincode: family.postalCode,
          city: family.place.city,
          state: family.place.stateProvince,
          country: family.country.name,
        },
      }
    }),
  )
  await loader.add(
    toDo,
    made
      .filter((_, position) => position % 4 === 3)
      .map(({ name }, position) => ({
        moment: plan.end - (9 - position) * day,
        fields: {
          status: position === 0 ? 'Closed' : 'Open',
          priority: 'Medium',
          date: calendarDate(plan.end - (6 - position) * day),
          description: 'The card was declined by its bank. Ask the family how they want to pay.',
          reference_type: paymentRecord.name,
          reference_name: name,
          role: 'Accounts Manager',
        },
      })),
  )
}

/** Some time between a student's enrolment and the last midnight. */
function getMoment(plan: Plan, { enrolledAt }: Enrolled, position: number): number {
  const random = plan.random.of('student life', position)
  return Math.floor(enrolledAt + hour + random.fraction() * Math.max(plan.end - enrolledAt - 2 * hour, 0))
}
