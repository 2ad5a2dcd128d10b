import { cataloguePrograms, type ProgramKind } from '../catalogue/index.ts'
import { importedStudents, type Plan, programForAge } from '../plan.ts'
import type { Random } from '../random.ts'
import { day, firstSchoolDay, getAcademicYear, hour, partOfYear } from './calendar.ts'
import { type Child, entryYear } from './families.ts'

type Status = 'active' | 'inactive' | 'graduated' | 'withdrawn' | 'suspended'

/** What a student studies, and from when to when. */
export interface Studies {
  readonly status: Status
  /** Place in the catalogue. */
  readonly program: number
  /** The present academic year, or the last one of who left. */
  readonly academicYear: number
  readonly enrolledAt: number
  /** When the student left, one way or the other; null for who is still there. */
  readonly leftAt: number | null
}

/** Of twenty students in a row, how they stand. */
const statuses: readonly Status[] = [
  ...Array<Status>(15).fill('active'),
  'graduated',
  'graduated',
  'withdrawn',
  'inactive',
  'suspended',
]

/** The studies of a child whose record was made at a moment. */
export function getStudies(plan: Plan, random: Random, index: number, createdAt: number, child: Child): Studies {
  const cards = plan.random.of('student statuses', Math.floor(index / statuses.length)).shuffled(statuses)
  const status = cards[index % statuses.length] as Status
  const isImported = index < importedStudents(plan.students)
  const graduation = status === 'graduated' && isImported ? findGraduation(plan, random, child) : null
  if (graduation !== null) return { status: 'graduated', ...graduation }
  const yearsBefore = Math.min(academicAge(child, getAcademicYear(createdAt)) - 3, 3)
  const enrolledAt =
    isImported && yearsBefore >= 0
      ? schoolDay(random, getAcademicYear(createdAt) - random.between(0, yearsBefore))
      : createdAt + random.below(day)
  const leftAt = status === 'withdrawn' ? findLeaving(plan, random, Math.max(createdAt, enrolledAt)) : null
  const academicYear =
    leftAt !== null ? getAcademicYear(leftAt) : Math.max(getAcademicYear(plan.end), entryYear(createdAt))
  return {
    status: status === 'graduated' || (status === 'withdrawn' && leftAt === null) ? 'active' : status,
    program: programForAge(random, academicAge(child, academicYear)),
    academicYear,
    enrolledAt,
    leftAt,
  }
}

/** Some days after examinations that somebody wrote who came at a moment; null for who came too late for any. */
function findLeaving({ calendar, end }: Plan, random: Random, cameAt: number): number | null {
  const moments = calendar.examinations.flatMap(({ days: [first = 0, ...others] }) => {
    const over = (others.at(-1) ?? first) + 2 * day
    return first > cameAt + day && over < end - 2 * day ? [over] : []
  })
  if (moments.length === 0) return null
  const over = random.pick(moments)
  return over + Math.floor(random.fraction() * (Math.min(over + 20 * day, end - day) - over))
}

/** Age on the first day of an academic year. */
export function academicAge(child: Child, year: number): number {
  return ageAt(child, firstSchoolDay(year) + day)
}

/** What somebody of this age may have finished in the last few years; null when nothing fits. */
function findGraduation(plan: Plan, random: Random, child: Child): Omit<Studies, 'status'> | null {
  const lastYear = getAcademicYear(plan.end) - 1
  const age = academicAge(child, lastYear)
  const finished = cataloguePrograms.flatMap(({ kind, ages: [youngest, oldest], years }, program) => {
    const yearsAgo = kind === 'school' ? age - oldest : random.below(2)
    const finalAge = age - yearsAgo
    const isPossible = yearsAgo >= 0 && yearsAgo < 3 && finalAge >= youngest + years - 1 && finalAge < oldest + years
    return isPossible ? [{ program, years, academicYear: lastYear - yearsAgo }] : []
  })
  if (finished.length === 0) return null
  const { program, years, academicYear } = random.pick(finished)
  return {
    program,
    academicYear,
    enrolledAt: schoolDay(random, academicYear - years + 1),
    leftAt: Date.UTC(academicYear + 1, 5, random.between(20, 28), 10),
  }
}

/** A morning around the first days of school. */
function schoolDay(random: Random, year: number): number {
  return firstSchoolDay(year) + random.between(-12, 8) * day + random.between(8, 12) * hour
}

/** The part of an academic year that a moment is in, as programs of a kind call it; the first one before the year begins. */
export function getPeriod(kind: ProgramKind, year: number, moment: number): string {
  const within = Math.max(moment, firstSchoolDay(year) + day)
  if (kind === 'school') return `Term ${partOfYear(within, 3)}`
  return kind === 'university' ? `Semester ${partOfYear(within, 2)}` : `Module ${partOfYear(within, 4)}`
}

/** Age in whole years. */
export function ageAt(child: Child, moment: number): number {
  return Math.floor((moment - child.born) / (365.25 * day))
}
