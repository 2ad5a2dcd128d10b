import { courseEnrollment, programEnrollment } from '@matricula/contract/record-types'
import { composedName } from '../../platform/person-names.ts'
import { academicYearName, calendarDate, day, hour, midnightOf } from '../calendar.ts'
import { type CatalogueProgram, catalogueCourses, cataloguePrograms } from '../catalogue/index.ts'
import type { Plan } from '../plan.ts'
import { isRequiredCourse } from '../programs.ts'
import type { Random } from '../random.ts'
import type { DemoStudent } from '../students.ts'
import { type AcademicCalendar, boundsOfYear } from './academic-calendar.ts'
import { categories, houses } from './basis.ts'
import type { RecordLoader } from './record-loader.ts'

/** A student with the code by which the Resource and Method API names them. */
export interface CodedStudent {
  readonly student: DemoStudent
  readonly code: string
}

/** A student of the shown term with an enrolment. */
export interface Enrolled extends CodedStudent {
  readonly name: string
  readonly program: CatalogueProgram
  readonly batch: string
  readonly category: string
  /** The names of the courses that the student takes. */
  readonly courses: readonly string[]
  readonly enrollment: string
  readonly enrolledAt: number
}

/** A student in a course. */
export interface CourseReader {
  readonly member: Enrolled
  readonly course: string
  readonly enrollment: string
}

/** Of how many students at most the demo shows a whole term, however many there are. */
export const mostShownStudents = 500
export const studentsPerGroup = 24

/** The letters of the groups of a program: `A`, `B` and so on. */
export function groupLetter(place: number): string {
  return String.fromCharCode(65 + place)
}

/** The cohort of a group with a letter. */
export function batchName(year: number, letter: string): string {
  return `${year} ${letter}`
}

/** The batches that a number of students can need. */
export function batchesFor(plan: Plan, { term }: AcademicCalendar): string[] {
  const letters = Math.ceil(Math.min(plan.students, mostShownStudents) / studentsPerGroup)
  return Array.from({ length: letters }, (_, place) => batchName(term.year, groupLetter(place)))
}

const courseNames = new Map(catalogueCourses.map(([code, name, , , , status]) => [code, { name, status }]))

/** Enrols students batch by batch and keeps those of whom the demo shows the term. */
export class Enrollments {
  readonly shown: Enrolled[] = []
  /** The first course of each shown student, with the name of its enrolment. */
  readonly readers: CourseReader[] = []
  readonly #plan: Plan
  readonly #calendar: AcademicCalendar
  readonly #loader: RecordLoader
  readonly #perProgram = new Map<number, number>()

  constructor(plan: Plan, calendar: AcademicCalendar, loader: RecordLoader) {
    this.#plan = plan
    this.#calendar = calendar
    this.#loader = loader
  }

  /** Enrols those who study: everybody who is active, and of the shown students also those who have left since. */
  async add(students: readonly CodedStudent[]): Promise<void> {
    const planned = students.flatMap((coded) => {
      const { year } = this.#calendar.term
      const { student } = coded
      const own = student.academicYear
      const wasThere = own > year && student.enrolledAt < this.#calendar.term.end - 30 * day
      const isShown = (own === year || wasThere) && this.shown.length + 1 <= mostShownStudents
      const years = [...(wasThere ? [year] : []), own]
      if (student.status === 'graduated' || (student.status !== 'active' && (!isShown || own < year))) return []
      return years.map((each) => this.#planned(coded, each, isShown && each === year))
    })
    const made = await this.#loader.add(
      programEnrollment,
      planned.map(({ moment, fields }) => ({ moment, fields })),
    )
    const taken = planned.flatMap(({ shown }, place) => {
      if (shown === null) return []
      const enrolled = { ...shown, enrollment: made[place]?.name as string }
      this.shown[this.shown.indexOf(shown)] = enrolled
      return [enrolled]
    })
    const inCourses = taken.flatMap(courseEnrollmentsOf)
    const names = await this.#loader.add(
      courseEnrollment,
      inCourses.map(({ moment, fields }) => ({ moment, fields })),
    )
    for (const [place, { member, fields, isFirst }] of inCourses.entries()) {
      if (isFirst) this.readers.push({ member, course: fields.course, enrollment: names[place]?.name as string })
    }
  }

  #planned(coded: CodedStudent, year: number, isShown: boolean) {
    const { student } = coded
    const random = this.#plan.random.of(`enrolment ${year}`, student.index)
    const name = composedName(student.child.givenNames, student.child.familyNames)
    const program = cataloguePrograms[student.program] as CatalogueProgram
    const moment = this.#momentOf(random, student, year)
    const category = student.scholarship > 0 ? 'Scholarship' : random.weighted(categories, weightOfCategory)
    const courses = isShown ? this.#coursesOf(random, student.program) : []
    const { term } = this.#calendar
    const semester = year === term.year ? term.name : `${academicYearName(year)} (Semester 1)`
    const shown = isShown
      ? {
          ...coded,
          name,
          program,
          category,
          courses,
          enrolledAt: moment,
          enrollment: '',
          batch: this.#batchOf(student),
        }
      : null
    if (shown !== null) this.shown.push(shown)
    return {
      moment,
      shown,
      fields: {
        student: coded.code,
        student_name: name,
        enrollment_date: calendarDate(moment),
        program: program.name,
        academic_year: academicYearName(year),
        academic_term: semester,
        student_category: category,
        student_batch_name: shown?.batch ?? null,
        school_house: random.pick(houses),
        boarding_student: random.chance(0.04) ? 1 : 0,
        courses: courses.map((course) => ({ course, course_name: course })),
      },
    }
  }

  /** The days before the year begins, or when the student came, whichever is later; never in the future. */
  #momentOf(random: Random, student: DemoStudent, year: number): number {
    const opening = boundsOfYear(year).start + random.between(9, 27) * day + random.between(8, 15) * hour
    const latest = Math.min(opening, this.#plan.end - day - random.below(6 * hour))
    return Math.max(student.createdAt + random.between(1, 20) * hour, latest)
  }

  #batchOf({ program }: DemoStudent): string {
    const before = this.#perProgram.get(program) ?? 0
    this.#perProgram.set(program, before + 1)
    return batchName(this.#calendar.term.year, groupLetter(Math.floor(before / studentsPerGroup)))
  }

  /** What everybody takes, and about half of what may be chosen. */
  #coursesOf(random: Random, program: number): string[] {
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

function courseEnrollmentsOf(member: Enrolled) {
  const { enrollment, courses, program, code, name, enrolledAt } = member
  return courses.map((course, place) => ({
    member,
    isFirst: place === 0,
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

/** The first and the last day on which a student is there; those who were set inactive or suspended stopped coming lately. */
export function presenceOf(
  { student: { leftAt, status }, enrolledAt }: Enrolled,
  { lastDay }: AcademicCalendar,
): { from: number; to: number } {
  const stopped = status === 'active' ? Number.POSITIVE_INFINITY : lastDay - 2 * day
  return { from: midnightOf(enrolledAt) + day, to: leftAt === null ? stopped : leftAt - day }
}
