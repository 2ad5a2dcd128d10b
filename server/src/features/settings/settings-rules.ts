import { academicTerm, educationSettings } from '@matricula/contract/record-types'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'

type Settings = RecordOf<typeof educationSettings>

/** The current term is one of the current year. Where the year alone changes, the term of the old one is current no more. */
async function requireCurrentTerm(settings: Settings, work: RecordWork, before: Settings | null): Promise<void> {
  const { current_academic_year: academic_year, current_academic_term: academic_term } = settings
  if (!academic_year || !academic_term) return
  const isTermNew = before?.current_academic_term !== academic_term
  if (isTermNew) return requireTermOfYear({ academic_year, academic_term }, work)
  if (before.current_academic_year === academic_year) return
  if ((await work.linked(academicTerm, academic_term))?.academic_year === academic_year) return
  settings.current_academic_term = null
  const message = `The Current Academic Term ${academic_term} is not of ${academic_year}, and was cleared. Choose a term of the year.`
  work.messages.push({ message, indicator: 'orange' })
}

function requireOfferDays({ waiting_list_offer_days: days }: Settings): void {
  if (days >= 0) return
  throw new RecordError(
    'ValidationError',
    `Days to Accept a Place (${days}) cannot be less than 0. Leave it at 0 for 7.`,
  )
}

/** How the institution runs its academic side. */
export const settingsRecords: readonly RecordDefinition[] = [
  defineRecord(educationSettings, { rules: { validate: [requireCurrentTerm, requireOfferDays] } }),
]
