import { studentAttendance, studentGroup } from '@matricula/contract/record-types'
import type { CatalogueProgram } from '../catalogue/index.ts'
import type { Plan } from '../plan.ts'
import { academicYearName, day, minute } from '../records/calendar.ts'
import type { DemoTerm, ExaminationWeek } from './academic-calendar.ts'
import { type Examination, examinationSlots, loadExaminations } from './assessments.ts'
import { findAttendance } from './attendance.ts'
import { groupName } from './departments.ts'
import { type Enrolled, getPresence, lastExaminations, studentsPerGroup } from './enrollments.ts'
import { groupedBy } from './groups.ts'
import type { RecordLoader } from './record-loader.ts'

/** Students of a program and a term who are examined together. */
interface TermGroup {
  readonly name: string
  readonly program: CatalogueProgram
  readonly term: DemoTerm
  readonly members: readonly Enrolled[]
}

/** A course of which the marks of a term are posted, and how many results it has there. */
export interface PostedCourse {
  readonly course: string
  readonly term: DemoTerm
  readonly results: number
}

/** The last days of each of these students that are told of. */
const daysTold = 20
const coursesPlaced = 2

/**
 * Loads what students reached of whom the demo does not show a whole term: those who have left, in the last term in which they
 * wrote examinations, those for whom there are too many, and newcomers.
 */
export class OtherTerms {
  readonly #plan: Plan
  readonly #loader: RecordLoader
  /** How many groups each program has in each year. */
  readonly #numbers = new Map<string, number>()
  readonly #unexamined: Enrolled[] = []
  /** Courses that were examined in terms that are over, and whether somebody was examined in nothing else. */
  readonly #pastCourses = new Map<string, PostedCourse & { readonly hasNothingElse: boolean }>()

  constructor(plan: Plan, loader: RecordLoader) {
    this.#plan = plan
    this.#loader = loader
  }

  /** Their last examinations, and whether they were there on the days before. */
  async add(members: readonly Enrolled[]): Promise<void> {
    const { calendar } = this.#plan
    const written = new Map(members.map((member) => [member, this.#lastWeeks(member)]))
    this.#unexamined.push(...members.filter((member) => written.get(member)?.length === 0))
    const groups = await this.#loadGroups(members, '')
    const days = groups.flatMap(({ name, term, members: those }) =>
      those.flatMap((member) => {
        const { from, to } = getPresence(member, calendar)
        const there = term.days.filter((date) => date >= from && date <= Math.min(to, calendar.lastDay))
        return there.slice(-daysTold).map((date) => ({ member, name, date }))
      }),
    )
    await this.#loader.add(
      studentAttendance,
      days.map(({ member, name, date }) => findAttendance(this.#plan, member, name, date, null)),
    )
    const examinations = groups.flatMap((group) => {
      const weeks = new Set(group.members.flatMap((member) => written.get(member) ?? []))
      return [...weeks].flatMap((week) => {
        const takers = group.members.filter((member) => written.get(member)?.includes(week))
        return getExaminations({ ...group, members: takers }, week)
      })
    })
    this.#count(examinations)
    await loadExaminations(this.#plan, examinations, this.#loader)
  }

  /** How newcomers did, and all who have written nothing else: tests in their first courses on one of the last days. */
  async place(newcomers: readonly Enrolled[]): Promise<void> {
    const groups = await this.#loadGroups([...newcomers, ...this.#unexamined], 'New in ')
    const { end } = this.#plan
    const date = [2, 3, 4].map((days) => end - days * day).find((each) => new Date(each).getUTCDay() % 6 !== 0)
    const examinations = groups.flatMap((group) => {
      const week = { term: group.term, occasion: 'Placement Tests', days: [date as number] } as const
      const members = group.members.map((member) => ({ ...member, courses: member.courses.slice(0, coursesPlaced) }))
      return getExaminations({ ...group, members }, week)
    })
    this.#count(examinations)
    await loadExaminations(this.#plan, examinations, this.#loader)
  }

  /**
   * A course of the last term before the shown one in which everybody who was examined in it was examined in another one too:
   * no report card is final with it alone.
   */
  findPostedCourse(): PostedCourse | null {
    const courses = [...this.#pastCourses.values()].filter(({ hasNothingElse }) => !hasNothingElse)
    const last = Math.max(...courses.map(({ term }) => term.start))
    return courses.find(({ term }) => term.start === last) ?? null
  }

  /** Counts the results of courses in terms that are over. A student is in one of the calls only. */
  #count(examinations: readonly Examination[]): void {
    const { term: shown } = this.#plan.calendar
    const taken = new Map<string, Set<string>>()
    const over = examinations.filter(({ week: { term } }) => term.start < shown.start)
    const getTaken = (term: DemoTerm, code: string) => {
      const key = `${term.name} ${code}`
      const known = taken.get(key) ?? new Set<string>()
      taken.set(key, known)
      return known
    }
    for (const { week, course, takers } of over) for (const { code } of takers) getTaken(week.term, code).add(course)
    for (const { week, course, takers } of over) {
      const key = `${week.term.name} ${course}`
      const known = this.#pastCourses.get(key) ?? { course, term: week.term, results: 0, hasNothingElse: false }
      this.#pastCourses.set(key, {
        ...known,
        results: known.results + takers.length,
        hasNothingElse: known.hasNothingElse || takers.some(({ code }) => getTaken(week.term, code).size < 2),
      })
    }
  }

  /** Of the shown term only the last ones: there may be many who write them. */
  #lastWeeks({ student, term }: Enrolled): readonly ExaminationWeek[] {
    const { calendar } = this.#plan
    const weeks = lastExaminations(calendar, student.enrolledAt, student.leftAt)
    return weeks.filter((week) => week.term === term).slice(term === calendar.term ? -1 : -2)
  }

  async #loadGroups(members: readonly Enrolled[], prefix: string): Promise<TermGroup[]> {
    const together = groupedBy(members, ({ program, term }) => `${program.code} ${term.name}`)
    const groups = [...together.values()].flatMap((all) =>
      Array.from({ length: Math.ceil(all.length / studentsPerGroup) }, (_, position) => {
        const { program, term } = all[0] as Enrolled
        const own = all.slice(position * studentsPerGroup, (position + 1) * studentsPerGroup)
        return { name: prefix + this.#getName(program, term), program, term, members: own }
      }),
    )
    const { start, end, calendar } = this.#plan
    await this.#loader.add(
      studentGroup,
      groups.map(({ name, program, term, members: own }, position) => {
        const isOver = term.start < calendar.term.start
        return {
          moment: Math.min(Math.max(term.start - 5 * day, start + 2 * day), end - 9 * day) + position * minute,
          fields: {
            academic_year: academicYearName(term.year),
            group_based_on: 'Batch',
            student_group_name: name,
            max_strength: 30,
            academic_term: term.name,
            program: program.name,
            disabled: isOver ? 1 : 0,
            students: own.map(({ code, name: student_name, student: { status } }, row) => ({
              student: code,
              student_name,
              group_roll_number: row + 1,
              active: isOver || status === 'active' ? 1 : 0,
            })),
          },
        }
      }),
    )
    return groups
  }

  #getName(program: CatalogueProgram, { year }: DemoTerm): string {
    const key = `${program.code} ${year}`
    const number = (this.#numbers.get(key) ?? 0) + 1
    this.#numbers.set(key, number)
    return groupName(program, String(number), academicYearName(year))
  }
}

/** The examinations of a group in those courses that somebody of it takes, as far as a week has time for them. */
function getExaminations({ name, program, members }: TermGroup, week: ExaminationWeek): Examination[] {
  const slots = examinationSlots(week)
  const courses = groupedBy(
    members.flatMap((member) => member.courses.map((course) => ({ member, course }))),
    ({ course }) => course,
  )
  return [...courses].slice(0, slots.length).map(([course, takers], position) => ({
    week,
    group: { name, program },
    course,
    ...(slots[position] as (typeof slots)[0]),
    room: null,
    examiner: null,
    supervisor: null,
    takers: takers.map(({ member }) => member),
  }))
}
