import type { CalledRoll, MarkInput, Static } from '@matricula/contract'
import { attendanceCode } from '@matricula/contract/record-types'
import { type RecordEngine, RecordError, type RecordOf } from '../../../record-engine/index.ts'
import { statusByMeaning } from '../attendance-codes.ts'
import type { MarkDetails } from '../listed-students.ts'
import { type CalledStudent, loadMarked, lockRoll, type Marked, markStudents } from '../marking.ts'
import { getVersion, type Roll, toStudent } from './roll.ts'

type Called = Static<typeof CalledRoll>
type Refused = Called['refused'][number]
type Reason = Pick<Refused, 'code' | 'detail'>
type Code = RecordOf<typeof attendanceCode>

/**
 * Marks the students of a roll, or corrects them, each by itself: who cannot be marked is returned with the reason. What is there
 * already is not written again.
 *
 * @throws RecordError by the rules of attendance, and `ValidationError` for a student who is listed twice.
 */
export async function callRoll(
  engine: RecordEngine,
  { place, call, members }: Roll,
  inputs: readonly MarkInput[],
): Promise<Called> {
  requireOnce(inputs)
  const byName = new Map(members.map((member) => [member.student, member]))
  const listed = inputs.filter(({ student }) => byName.has(student))
  const names = listed.map(({ student }) => student)
  const roll = await lockRoll(engine, names, call)
  await engine.prefetch(attendanceCode, [...new Set(listed.flatMap(({ code }) => code || []))])
  const refused: Refused[] = inputs
    .filter(({ student }) => !byName.has(student))
    .map(({ student }) => ({ student, code: 'unknown_student', detail: notInGroup(student, place) }))
  const taken: CalledStudent[] = []
  for (const input of listed) {
    const code = await engine.linked(attendanceCode, input.code || null)
    const known = roll.marked.get(input.student)
    const reason = whyRefused(input, code, known)
    if (reason !== null) refused.push({ student: input.student, ...reason })
    else if (!isMarked(input, known)) taken.push(toCalled(input, code))
  }
  await markStudents(engine, roll, taken)
  const marked = taken.length === 0 ? roll.marked : await loadMarked(engine, call, names)
  return {
    of: place.of,
    date: place.date,
    students: members
      .filter(({ student }) => names.includes(student))
      .map((member) => toStudent(member, marked.get(member.student), roll.leaves.get(member.student))),
    refused,
  }
}

function requireOnce(inputs: readonly MarkInput[]): void {
  const seen = new Set<string>()
  const twice = inputs.find(({ student }) => seen.has(student) || !seen.add(student))
  if (twice === undefined) return
  throw new RecordError('ValidationError', `The student ${twice.student} is listed twice. List everybody once.`)
}

const notInGroup = (student: string, { studentGroup, date }: Roll['place']) =>
  `${student} is not in the group ${studentGroup} on ${date}. Read the roll again.`

function toDetails({ minutesLate = 0, excused = false, halfDay = false }: MarkInput, code: Code | null): MarkDetails {
  return {
    attendance_code: code?.name ?? null,
    minutes_late: minutesLate,
    excused: excused ? 1 : 0,
    half_day: halfDay ? 1 : 0,
  }
}

const toCalled = (input: MarkInput, code: Code | null): CalledStudent => ({
  student: input.student,
  status: input.status,
  details: toDetails(input, code),
})

/** Whether a mark is what is sent already. What a code says of minutes and excuse need not be sent. */
function isMarked(input: MarkInput, known: Marked | undefined): boolean {
  if (known === undefined || known.status !== input.status) return false
  const { code, minutesLate = 0, excused = false, halfDay = false } = input
  const isCoded = Boolean(code)
  return (
    (known.attendance_code || null) === (code || null) &&
    (known.minutes_late === minutesLate || (isCoded && minutesLate === 0)) &&
    (known.excused === (excused ? 1 : 0) || (isCoded && !excused)) &&
    known.half_day === (halfDay ? 1 : 0)
  )
}

function whyRefused(input: MarkInput, code: Code | null, known: Marked | undefined): Reason | null {
  const wrong = whyUnfit(input, code, known)
  if (wrong !== null) return wrong
  // Who is away with a leave stays so, whatever the roll says; the answer shows it.
  const isKept = input.version === undefined || known?.status === 'Leave' || isMarked(input, known)
  if (isKept || input.version === getVersion(known)) return null
  const now = known === undefined ? 'took the mark away' : `marked ${known.status}`
  return { code: 'changed_meanwhile', detail: `Somebody ${now} meanwhile. Decide which one holds.` }
}

function whyUnfit(input: MarkInput, code: Code | null, known: Marked | undefined): Reason | null {
  const { student, status, minutesLate = 0, excused = false, halfDay = false } = input
  const unfit = (detail: string): Reason => ({ code: 'detail_does_not_fit', detail })
  const isNew = (known?.attendance_code || null) !== (input.code || null)
  if (input.code && (code === null || (code.disabled === 1 && isNew))) {
    const detail = `${input.code} is no attendance code that can be chosen. Read the roll again.`
    return { code: 'unknown_code', detail }
  }
  if (code !== null && statusByMeaning[code.counts_as ?? ''] !== status) {
    return unfit(`The code ${code.name} counts as ${code.counts_as}, and ${student} is ${status}. Choose another code.`)
  }
  if (minutesLate > 0 && (status === 'Absent' || (code !== null && code.counts_as !== 'Late'))) {
    return unfit('Minutes are of a student who is present and late. Leave them at 0.')
  }
  if (excused && (status === 'Present' || (code !== null && code.counts_as !== 'Excused'))) {
    return unfit('Only an absence is excused. Mark the student absent, with a code for it or without one.')
  }
  return halfDay && status === 'Present' ? unfit('Half a day is of an absence. Mark the student absent.') : null
}
