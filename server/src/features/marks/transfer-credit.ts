import { transferCredit } from '@matricula/contract/record-types'
import { defineRecord, RecordError, type RecordOf } from '../../record-engine/index.ts'

function requireSoundCredits({ credits, grade_points: points }: RecordOf<typeof transferCredit>): void {
  if (credits !== null && credits <= 0) {
    throw new RecordError('ValidationError', `Credits (${credits}) must be greater than 0.`)
  }
  if (points < 0) throw new RecordError('ValidationError', `Grade Points (${points}) cannot be less than 0.`)
}

/** The record type of transfer credits. */
export const transferCreditRecord = defineRecord(transferCredit, { rules: { validate: [requireSoundCredits] } })
