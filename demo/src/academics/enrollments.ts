import { courseEnrollment, enrollmentHistory, programEnrollment } from '@matricula/contract/record-types'
import { composedName } from '@matricula/server/values/index'
import { type CatalogueProgram, catalogueCourses, cataloguePrograms } from '../catalogue/index.ts'
import type { Plan } from '../plan.ts'
import type { Random } from '../random.ts'
import { academicYearName, calendarDate, day, getMidnight, hour } from '../records/calendar.ts'
import { isRequiredCourse } from '../records/programs.ts'
import type { DemoStudent } from '../records/students.ts'
import { type AcademicCalendar, boundsOfYear, type DemoTerm, type ExaminationWeek } from './academic-calendar.ts'
import { categories, houses } from './basis.ts'
import type { RecordLoader } from './record-loader.ts'

/** A student with the code by which the Resource and Method API names them. */
export interface CodedStudent {
  readonly student: DemoStudent
  readonly code: string
}

/** A student with an enrolment in a term. */
export interface Enrolled extends CodedStudent {
  readonly name: string
  readonly program: CatalogueProgram
  readonly term: DemoTerm
  /** The cohort; empty where the demo does not show the whole term. */
  readonly batch: string
  readonly category: string
  /** The names of the courses that the student takes. */
  readonly courses: readonly string[]
  readonly enrollment: string
  readonly enrolledAt: number
}

/**
 * Of how much of an enrolment's term the demo tells: all of it, examinations and the days before them, how a newcomer was
 * placed, or nothing, because somebody who was there before is only enrolled in it.
 */
type Share = 'whole' | 'part' | 'placement' | 'none'

/** A student in a course. */
export interface CourseReader {
  readonly member: Enrolled
  readonly course: string
  readonly enrollment: string
}

/** Of how many students at most the demo shows a whole term, however many there are. */
const maxShownStudents = 500
export const studentsPerGroup = 24

/** The letters of the groups of a program: `A`, `B` and so on. */
function groupLetter(position: number): string {
  return String.fromCharCode(65 + position)
}

/** The cohort of a group with a letter. */
function batchName(year: number, letter: string): string {
  return `${year} ${letter}`
}

/** The batches that a number of students can need. */
export function batchesFor(plan: Plan, { term }: AcademicCalendar): string[] {
  const letters = Math.ceil(Math.min(plan.students, maxShownStudents) / studentsPerGroup)
  return Array.from({ length: letters }, (_, position) => batchName(term.year, groupLetter(position)))
}

const courseNames = new Map(catalogueCourses.map(([code, name, , , , status]) => [code, { name, status }]))

/** Enrols students batch by batch and keeps those of whom the demo shows the term. */
export class Enrollments {
  readonly shown: Enrolled[] = []
  /** Those whose term has not begun or has hardly begun. */
  readonly newcomers: Enrolled[] = []
  /** The first course of each shown student, with the name of its enrolment. */
  readonly readers: CourseReader[] = []
  readonly #plan: Plan
  readonly #loader: RecordLoader
  readonly #perProgram = new Map<number, number>()
  #locations = maxShownStudents

  constructor(plan: Plan, loader: RecordLoader) {
    this.#plan = plan
    this.#loader = loader
  }

  /** Enrols students, those who have left in their last term. Answers those of whom the demo shows a part of the term. */
  async add(students: readonly CodedStudent[]): Promise<Enrolled[]> {
    const planned = students.flatMap((coded) =>
      this.#getTerms(coded.student).map(([term, share]) => this.#planned(coded, term, share)),
    )
    const made = await this.#loader.add(programEnrollment, planned)
    const members = planned.map(({ member, share }, position) => ({
      share,
      member: { ...member, enrollment: made[position]?.name as string },
    }))
    await this.#addHistory(members.map(({ member }) => member))
    const inCourses = members.flatMap(({ member, share }) =>
      getCourseEnrollments(member).map((each) => ({ ...each, share })),
    )
    const names = await this.#loader.add(courseEnrollment, inCourses)
    for (const [position, { member, fields, isFirst, share }] of inCourses.entries()) {
      if (!isFirst || share !== 'whole') continue
      this.readers.push({ member, course: fields.course, enrollment: names[position]?.name as string })
    }
    const of = (wanted: Share) => members.filter(({ share }) => share === wanted).map(({ member }) => member)
    this.shown.push(...of('whole'))
    this.newcomers.push(...of('placement'))
    return of('part')
  }

  /** When each of these entered the program, by the first enrolment that is told, and left it. */
  async #addHistory(members: readonly Enrolled[]): Promise<void> {
    const first = new Map<string, Enrolled>()
    for (const member of members) {
      const known = first.get(member.code)
      if (known === undefined || member.enrolledAt < known.enrolledAt) first.set(member.code, member)
    }
    await this.#loader.add(
      enrollmentHistory,
      [...first.values()].map(({ student, code, name, program, enrollment, enrolledAt }) => {
        const { leftAt, status } = student
        return {
          moment: Math.min(enrolledAt + hour, this.#plan.end - hour),
          fields: {
            student: code,
            student_name: name,
            program: program.name,
            program_enrollment: enrollment,
            entry_date: calendarDate(enrolledAt),
            entry_code: 'New',
            exit_date: leftAt === null ? null : calendarDate(Math.max(leftAt, enrolledAt)),
            exit_code: leftAt === null ? '' : status === 'withdrawn' ? 'Withdrawal' : 'Graduation',
          },
        }
      }),
    )
  }

  /** The terms in which a student is enrolled, with how much of them is told. */
  #getTerms(student: DemoStudent): (readonly [DemoTerm, Share])[] {
    const { term, terms } = this.#plan.calendar
    const { academicYear: own, leftAt } = student
    const first = terms.find(({ year }) => year === own) as DemoTerm
    const wasThere = own > term.year && student.enrolledAt < term.end - 30 * day
    if (own === term.year || wasThere) {
      this.#locations -= 1
      const now = [term, this.#locations < 0 ? 'part' : 'whole'] as const
      return wasThere ? [now, [first, 'none']] : [now]
    }
    if (leftAt === null) return [[first, 'placement']]
    const [last] = lastExaminations(this.#plan.calendar, student.enrolledAt, leftAt)
    return last === undefined ? [] : [[last.term, 'part']]
  }

  #planned(coded: CodedStudent, term: DemoTerm, share: Share) {
    const { student } = coded
    const { year } = term
    const random = this.#plan.random.of(`enrolment ${year}`, student.index)
    const name = composedName(student.child.givenNames, student.child.familyNames)
    const program = cataloguePrograms[student.program] as CatalogueProgram
    const moment = this.#getMoment(random, student, year)
    const isPast = year < this.#plan.calendar.term.year
    const enrolledAt = isPast ? Math.max(student.enrolledAt, boundsOfYear(year).start + 9 * day) : moment
    const category = student.scholarship > 0 ? 'Scholarship' : random.weighted(categories, weightOfCategory)
    const courses = this.#getCourses(random, student.program)
    const batch = share === 'whole' ? this.#getBatch(student) : ''
    return {
      moment,
      share,
      member: { ...coded, name, program, term, batch, category, courses, enrolledAt, enrollment: '' },
      fields: {
        student: coded.code,
        student_name: name,
        enrollment_date: calendarDate(enrolledAt),
        program: program.name,
        academic_year: academicYearName(year),
        academic_term: term.name,
        student_category: category,
        student_batch_name: batch || null,
        school_house: random.pick(houses),
        boarding_student: random.chance(0.04) ? 1 : 0,
        courses: courses.map((course) => ({ course, course_name: course })),
      },
    }
  }

  /** The days before the year begins, or when the student came, whichever is later; never in the future. */
  #getMoment(random: Random, student: DemoStudent, year: number): number {
    const opening = boundsOfYear(year).start + random.between(9, 27) * day + random.between(8, 15) * hour
    const latest = Math.min(opening, this.#plan.end - day - random.below(6 * hour))
    return Math.max(student.createdAt + random.between(1, 20) * hour, latest)
  }

  #getBatch({ program }: DemoStudent): string {
    const before = this.#perProgram.get(program) ?? 0
    this.#perProgram.set(program, before + 1)
    return batchName(this.#plan.calendar.term.year, groupLetter(Math.floor(before / studentsPerGroup)))
  }

  /** What everybody takes, and about half of what may be chosen. */
  #getCourses(random: Random, program: number): string[] {
    const { courses } = cataloguePrograms[program] as CatalogueProgram
    return courses.flatMap((code, position) => {
      const course = courseNames.get(code)
      if (course === undefined || course.status === 'archived') return []
      const isTaken = random.chance(0.5) || isRequiredCourse(this.#plan, program, position)
      return isTaken ? [course.name] : []
    })
  }
}

function weightOfCategory(category: string): number {
  return { Regular: 90, 'Staff Family': 5, Exchange: 5 }[category] ?? 0
}

function getCourseEnrollments(member: Enrolled) {
  const { enrollment, courses, program, code, name, enrolledAt } = member
  return courses.map((course, position) => ({
    member,
    isFirst: position === 0,
    moment: enrolledAt,
    fields: {
      program_enrollment: enrollment,
      program: program.name,
      enrollment_date: calendarDate(enrolledAt),
      course,
      student: code,
      student_name: name,
    },
  }))
}

/** The examinations that somebody wrote in their last term there, the last two of them at most. */
export function lastExaminations(
  { examinations }: AcademicCalendar,
  enrolledAt: number,
  leftAt: number | null,
): readonly ExaminationWeek[] {
  const [from, to] = [getMidnight(enrolledAt) + day, leftAt === null ? Number.POSITIVE_INFINITY : leftAt - day]
  const written = examinations.filter(({ days }) => (days[0] ?? 0) >= from && (days.at(-1) ?? 0) <= to)
  return written.filter(({ term }) => term === written.at(-1)?.term).slice(-2)
}

/** The first and the last day on which a student is there; those who were set inactive or suspended stopped coming lately. */
export function getPresence(
  { student: { leftAt, status }, enrolledAt }: Enrolled,
  { lastDay }: AcademicCalendar,
): { from: number; to: number } {
  const stopped = status === 'active' ? Number.POSITIVE_INFINITY : lastDay - 2 * day
  return { from: getMidnight(enrolledAt) + day, to: leftAt === null ? stopped : leftAt - day }
}
