import { instructor, room, studentGroup } from '@matricula/contract/record-types'
import type { CatalogueProgram } from '../catalogue/index.ts'
import type { Plan } from '../plan.ts'
import { academicYearName, day, minute } from '../records/calendar.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import { getDepartment, groupName } from './departments.ts'
import type { Enrolled } from './enrollments.ts'
import type { RecordLoader } from './record-loader.ts'
import type { DemoEmployee } from './staff.ts'
import { type Bookings, planWeek, type WeeklyLesson } from './week.ts'

/** Students who are taught together, with their week. */
export interface DemoGroup {
  readonly name: string
  readonly kind: 'Batch' | 'Course'
  /** Of a batch: its program. */
  readonly program: CatalogueProgram | null
  readonly batch: string | null
  /** Of a course group: its course. */
  readonly course: string | null
  readonly members: readonly Enrolled[]
  /** Who takes the course too and found no place, in order. */
  readonly waiting: readonly Enrolled[]
  readonly room: string
  readonly lessons: readonly WeeklyLesson[]
}

/** Courses that are also taught across programs, in the afternoon. */
const maxCourseGroups = 6
const maxInCourseGroup = 20
const maxWaiting = 3

/** The groups of the shown students: batches of a program, and groups across programs for courses that several of them have. */
export async function loadGroups(
  plan: Plan,
  { term }: AcademicCalendar,
  shown: readonly Enrolled[],
  staff: readonly DemoEmployee[],
  bookings: Bookings,
  instructorIds: ReadonlyMap<string, string>,
  loader: RecordLoader,
): Promise<DemoGroup[]> {
  const year = academicYearName(term.year)
  const batches = groupedBy(shown, ({ program, batch }) => groupName(program, batch.slice(5), year))
  const shared = sharedCourses(shown)
  const rooms = await loadRooms(plan, batches.size + shared.length, loader)
  const groups = [...batches].map(([name, members], position): DemoGroup => {
    const { program, batch } = members[0] as Enrolled
    const courses = [...new Set(members.flatMap((member) => member.courses))].sort()
    const roomName = rooms[position] as string
    const lessons = planWeek(courses, getTeachers(staff, getDepartment(program.code)), position, bookings)
    return { name, kind: 'Batch', program, batch, course: null, members, waiting: [], room: roomName, lessons }
  })
  for (const [position, [course, takers]] of shared.entries()) {
    const members = takers.slice(0, Math.min(maxInCourseGroup, Math.ceil(takers.length * 0.9)))
    const waiting = takers.slice(members.length, members.length + maxWaiting)
    const name = `${course} Club ${year}`
    const roomName = rooms[batches.size + position] as string
    const lessons = planWeek(
      [course],
      staff.filter(({ isTeacher }) => isTeacher).slice(position * 7),
      position,
      bookings,
      true,
    )
    groups.push({ name, kind: 'Course', program: null, batch: null, course, members, waiting, room: roomName, lessons })
  }
  await loader.add(
    studentGroup,
    groups.map((group, position) => ({
      moment: getMoment(plan, term.start, position),
      fields: findFields(group, year, term.name),
    })),
  )
  const logs = groups.flatMap((group, position) =>
    group.lessons.map(({ course, teacher }) => ({
      teacher,
      moment: getMoment(plan, term.start, position),
      group,
      course,
    })),
  )
  const rows = logs.flatMap(({ teacher, group, course }, position) => {
    const { program, members } = group
    return {
      parentId: instructorIds.get(teacher) as string,
      idx: logs.slice(0, position).filter((other) => other.teacher === teacher).length + 1,
      fields: {
        academic_year: year,
        academic_term: term.name,
        department: staff.find(({ name }) => name === teacher)?.department ?? null,
        program: (program ?? (members[0] as Enrolled).program).name,
        course,
        student_group: group.name,
      },
    }
  })
  const logType = instructor.fields.instructor_log.rows
  await loader.addRows('instructors_instructor_log', logType, getMoment(plan, term.start, groups.length), rows)
  return groups
}

/** In the week before the term, or when the records begin. */
function getMoment(plan: Plan, start: number, position: number): number {
  return Math.max(start - 5 * day, plan.start + 2 * day) + position * minute
}

function findFields({ name, kind, program, batch, course, members, lessons }: DemoGroup, year: string, term: string) {
  return {
    academic_year: year,
    group_based_on: kind,
    student_group_name: name,
    max_strength: kind === 'Batch' ? 30 : members.length,
    academic_term: term,
    program: program?.name ?? null,
    batch,
    course,
    students: members.map(({ student, code, name: student_name }, position) => ({
      student: code,
      student_name,
      group_roll_number: position + 1,
      active: student.status === 'active' ? 1 : 0,
    })),
    instructors: [...new Set(lessons.map(({ teacher }) => teacher))].map((teacher) => ({
      instructor: teacher,
      instructor_name: teacher,
    })),
  }
}

/** The courses that students of several programs take, with those who do. */
function sharedCourses(shown: readonly Enrolled[]): [string, Enrolled[]][] {
  const takers = groupedBy(
    shown
      .filter(({ student }) => student.status === 'active')
      .flatMap((each) => each.courses.map((course) => ({ ...each, course }))),
    ({ course }) => course,
  )
  return [...takers]
    .filter(([, members]) => new Set(members.map(({ program }) => program.code)).size > 1)
    .slice(0, maxCourseGroups)
}

function getTeachers(staff: readonly DemoEmployee[], department: string): DemoEmployee[] {
  const own = staff.filter((person) => person.isTeacher && person.department === department)
  const others = staff.filter((person) => person.isTeacher && person.department !== department)
  return [...own, ...others]
}

async function loadRooms(plan: Plan, count: number, loader: RecordLoader): Promise<string[]> {
  const made = await loader.add(
    room,
    Array.from({ length: count + 2 }, (_, position) => {
      const number = `${1 + Math.floor(position / 12)}${String((position % 12) + 1).padStart(2, '0')}`
      const room_name = position < count ? `Room ${number}` : position === count ? 'Great Hall' : 'Laboratory'
      const seating_capacity = position === count ? '180' : '32'
      return {
        moment: plan.start + (400 + position) * minute,
        fields: { room_name, room_number: number, seating_capacity },
      }
    }),
  )
  return made.map(({ name }) => name)
}

/** Items by a key, in the order in which the keys come. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
