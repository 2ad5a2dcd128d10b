import { transferCredit } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'

type Credit = RecordOf<typeof transferCredit>

/** What somebody did elsewhere is done, and counts once. */
async function requireOnceAndOver(document: Credit, work: RecordWork): Promise<void> {
  const { name, student, institution, course_title: title, course, completed_on: day } = document
  if (day !== null && day > work.today) {
    throw new RecordError('ValidationError', `Completed On (${day}) is after today. Enter the day when it is over.`)
  }
  await takeAdvisoryLock(work.tx, `transfer credits of ${student}`)
  const [other] = await work.select(
    transferCredit,
    sql`r.student = ${student} and r.institution = ${institution} and r.course_title = ${title}
        and r.course is not distinct from ${course} and r.completed_on is not distinct from ${day}
        and r.docstatus < 2 and r.name <> ${name}`,
    sql`limit 1`,
  )
  if (other === undefined) return
  const named = (await work.mayRead(transferCredit, other.name)) ? `: ${other.name}` : ''
  throw new RecordError(
    'ValidationError',
    `${title} of ${institution} is a transfer credit of ${student} already${named}. Change or cancel that one.`,
  )
}

function requireSoundCredits({ credits, grade_points: points }: Credit): void {
  if (credits !== null && credits <= 0) {
    throw new RecordError('ValidationError', `Credits (${credits}) must be greater than 0.`)
  }
  if (points < 0) throw new RecordError('ValidationError', `Grade Points (${points}) cannot be less than 0.`)
}

/** The record type of transfer credits. */
export const transferCreditRecord = defineRecord(transferCredit, {
  rules: { validate: [requireSoundCredits, requireOnceAndOver] },
})
