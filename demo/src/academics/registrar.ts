import {
  marksPosting,
  paymentTermsTemplate,
  studentPromotion,
  transferCredit,
  waitingListEntry,
} from '@matricula/contract/record-types'
import type { Plan } from '../plan.ts'
import { academicYearName, calendarDate, day, hour, minute, stamp } from '../records/calendar.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import type { Enrolled } from './enrollments.ts'
import type { DemoGroup } from './groups.ts'
import type { PostedCourse } from './other-terms.ts'
import type { RecordLoader } from './record-loader.ts'

/** What students bring along from elsewhere: where, what, credits and grade. */
const creditsElsewhere = [
  ['Colegio San Ignacio', 'Matemáticas I', 4, 'B'],
  ['Lake Huron Secondary School', 'Introduction to Biology', 3, 'A'],
  ['Instituto Bolívar', 'Historia Universal', 2, 'A'],
  ['Escola Horizonte', 'Língua Portuguesa', 3, 'C'],
] as const

/** Every so manieth of the shown students came with a credit. */
const one = 12

/** Loads what the registrar keeps of studies elsewhere. */
export async function loadTransferCredits(plan: Plan, shown: readonly Enrolled[], loader: RecordLoader): Promise<void> {
  const transferred = shown.filter((_, position) => position % one === 5)
  await loader.add(
    transferCredit,
    transferred.map(({ code, name, enrolledAt }, position) => {
      const [institution, course_title, credits, grade] = creditsElsewhere[
        position % creditsElsewhere.length
      ] as (typeof creditsElsewhere)[number]
      return {
        moment: Math.min(enrolledAt + (position % 9) * day + 3 * hour, plan.end - hour),
        fields: {
          student: code,
          student_name: name,
          institution,
          course_title,
          completed_on: calendarDate(enrolledAt - 60 * day),
          credits,
          grade,
        },
      }
    }),
  )
}

const instalments = { 'Three Instalments': [34, 33, 33], 'Ten Instalments': Array.from({ length: 10 }, () => 10) }

/** Loads how families pay in instalments, a month apart. */
export async function loadPaymentTerms(moment: number, loader: RecordLoader): Promise<void> {
  await loader.add(
    paymentTermsTemplate,
    Object.entries(instalments).map(([template_name, portions]) => ({
      moment,
      fields: {
        template_name,
        terms: portions.map((invoice_portion, index) => ({
          description: `Instalment ${index + 1}`,
          invoice_portion,
          credit_days: 30 * (index + 1),
        })),
      },
    })),
  )
}

const reasonsToWait = ['Would take any afternoon.', null, 'A sister is in the group.'] as const

/** Loads who waits for a place in a group that is full. */
export async function loadWaitingLists(plan: Plan, groups: readonly DemoGroup[], loader: RecordLoader): Promise<void> {
  const entries = groups.flatMap(({ name, waiting }) =>
    waiting.map((member, index) => ({ group: name, member, position: index + 1 })),
  )
  await loader.add(
    waitingListEntry,
    entries.map(({ group, member, position }, index) => {
      const moment = plan.end - 6 * day + index * 7 * minute
      return {
        moment,
        fields: {
          student_group: group,
          student: member.code,
          student_name: member.name,
          position,
          status: 'Waiting',
          requested_on: calendarDate(moment),
          note: reasonsToWait[position % reasonsToWait.length] ?? null,
        },
      }
    }),
  )
}

/** Loads a promotion of the first group of a program to the next year, as somebody begins to prepare it: one student stays. */
export async function loadPromotion(
  plan: Plan,
  { term, terms }: AcademicCalendar,
  groups: readonly DemoGroup[],
  loader: RecordLoader,
): Promise<void> {
  const group = groups.find(({ kind, members }) => kind === 'Batch' && members.length > 4)
  const next = terms.find(({ year }) => year === term.year + 1)
  if (group === undefined || group.program === null || next === undefined) return
  const active = group.members.filter(({ student: { status } }) => status === 'active')
  await loader.add(studentPromotion, [
    {
      moment: plan.end - 3 * day,
      fields: {
        program: group.program.name,
        academic_year: academicYearName(term.year),
        academic_term: term.name,
        student_batch: group.batch,
        new_program: group.program.name,
        new_academic_year: academicYearName(next.year),
        new_academic_term: next.name,
        submit_enrollments: 0,
        students: active.map(({ code, name, enrollment }, index) => ({
          student: code,
          student_name: name,
          program_enrollment: enrollment,
          decision: index === active.length - 1 ? 'Retain' : 'Promote',
        })),
        status: 'Draft',
        done: 0,
        total: active.length,
      },
    },
  ])
}

/** Loads that the marks of a course were posted, in a term that is over. */
export async function loadPosting(plan: Plan, posted: PostedCourse | null, loader: RecordLoader): Promise<void> {
  if (posted === null) return
  const { course, term, results } = posted
  const moment = Math.min(term.end + 4 * day + 10 * hour, plan.end - 5 * day)
  await loader.add(marksPosting, [
    {
      moment,
      fields: {
        course,
        academic_year: academicYearName(term.year),
        academic_term: term.name,
        comment: 'Checked with the teachers.',
        results,
        posted_by: 'Administrator',
        posted_on: stamp(moment),
      },
    },
  ])
}
