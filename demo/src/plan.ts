import { type AcademicCalendar, getAcademicCalendar } from './academics/academic-calendar.ts'
import { cataloguePrograms } from './catalogue/index.ts'
import { DemoIds } from './demo-ids.ts'
import { type Random, RandomSource } from './random.ts'
import { day, getMidnight, minute } from './records/calendar.ts'
import type { PipelineStep } from './records/pipeline-paths.ts'

/** How much demo data there shall be. */
export interface DemoSize {
  readonly students: number
  readonly payments: number
  /** The same seed gives the same people, amounts and ids. */
  readonly seed: number
}

/** The tenant that is filled. */
export interface DemoTenant {
  readonly id: string
  readonly timeZone: string
  readonly currency: string
}

/** Everything that the demo records follow from, each for itself: equal plans give equal records. */
export interface Plan {
  readonly random: RandomSource
  readonly ids: DemoIds
  /** The time that the records are spread over: eighteen months up to the last midnight in UTC. */
  readonly start: number
  readonly end: number
  readonly calendar: AcademicCalendar
  readonly timeZone: string
  readonly currency: string
  readonly students: number
  readonly applications: number
  readonly payments: number
  /** How many of the students came by an application. */
  readonly admitted: number
}

const span = 548 * day
const applicationsPerStudent = 0.4
const admittedPerApplication = 0.3

/**
 * Plans the records of a tenant. They end with the day before `now`, so that the demo looks alive whenever it is made;
 * two that are made on one day are equal.
 */
export function makePlan(
  tenant: DemoTenant & { readonly slug: string },
  size: DemoSize,
  pipeline: readonly PipelineStep[],
  now: Date,
): Plan {
  const end = getMidnight(now.getTime())
  const applications = pipeline.length === 0 ? 0 : Math.round(size.students * applicationsPerStudent)
  const canAdmit = pipeline.some(({ category }) => category === 'enrolled')
  const admitted = canAdmit ? Math.round(applications * admittedPerApplication) : 0
  const { students } = size
  return {
    random: new RandomSource(`record ${size.seed}`),
    ids: new DemoIds(size.seed, tenant.slug),
    start: end - span,
    end,
    calendar: getAcademicCalendar(end),
    timeZone: tenant.timeZone,
    currency: tenant.currency,
    students,
    applications,
    payments: students === 0 ? 0 : size.payments,
    admitted: Math.min(admitted, students - importedStudents(students)),
  }
}

/** How many students were there when the institution began to use the service; they have the lowest indexes. */
export function importedStudents(students: number): number {
  return Math.ceil(students * 0.55)
}

/** When a student's record came into being. It grows with the index. */
export function studentMoment(plan: Plan, index: number): number {
  const imported = importedStudents(plan.students)
  const random = plan.random.of('student moment', index)
  const open = plan.start + 22 * day
  return index < imported
    ? momentInTurn(random, index, imported, plan.start + day, open)
    : momentInTurn(random, index - imported, plan.students - imported, open, plan.end - 8 * day)
}

/** How many students there are at a moment. */
export function studentsAt(plan: Plan, moment: number): number {
  let low = 0
  let high = plan.students
  while (low < high) {
    const middle = (low + high) >>> 1
    if (studentMoment(plan, middle) <= moment) low = middle + 1
    else high = middle
  }
  return low
}

/** The student whom the application of this turn became, the turns being spread over those who were not imported. */
export function admittedStudent(plan: Plan, turn: number): number {
  const imported = importedStudents(plan.students)
  return imported + Math.floor((turn * (plan.students - imported)) / plan.admitted)
}

/** When a student applied, some weeks before; null for one who came without an application. */
export function applicationMoment(plan: Plan, student: number): number | null {
  const imported = importedStudents(plan.students)
  if (student < imported || plan.admitted === 0) return null
  const turn = Math.ceil(((student - imported) * plan.admitted) / (plan.students - imported))
  if (turn >= plan.admitted || admittedStudent(plan, turn) !== student) return null
  const joined = studentMoment(plan, student)
  const before = plan.random.of('application moment', student).between(21 * day, 60 * day)
  return Math.round(joined - Math.min(before, (joined - plan.start - day) * 0.9))
}

/** The id of a program of the catalogue. */
export function programId(plan: Plan, program: number): string {
  return plan.ids.of('program', program, programMoment(plan, program))
}

/** When a program's record came into being. */
export function programMoment(plan: Plan, program: number): number {
  return plan.start + program * 7 * minute + plan.random.of('program moment', program).below(6 * minute)
}

/** The program that fits an age at the beginning of an academic year. */
export function programForAge(random: Random, age: number): number {
  const fits = cataloguePrograms.flatMap(({ ages: [youngest, oldest], status }, index) =>
    status === 'active' && age >= youngest && age <= oldest ? [index] : [],
  )
  if (fits.length === 0) return age < 3 ? 0 : cataloguePrograms.length - 1
  return random.weighted(fits, (index) => cataloguePrograms[index]?.weight ?? 0)
}

/** A moment of the turn that `index` has among `count` equal ones: later for a higher index. */
export function momentInTurn(random: Random, index: number, count: number, from: number, to: number): number {
  const turn = Math.floor((to - from) / count)
  return from + index * turn + random.below(turn)
}
