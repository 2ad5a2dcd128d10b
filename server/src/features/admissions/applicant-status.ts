import type { Transaction } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { type PipelineStatusRecord, readPipeline, requireStartingStatus } from './pipeline.ts'

type Category = PipelineStatusRecord['category']

/** The categories of each application status of the Resource API; a move leads to the first one. */
const categoriesByStatus: Readonly<Record<string, readonly Category[]>> = {
  Applied: ['open'],
  Approved: ['accepted'],
  Rejected: ['rejected', 'withdrawn'],
  Admitted: ['enrolled'],
}

/** The first active pipeline status of an application status. Throws `ValidationError` without one. */
export async function firstStatusFor(tx: Transaction, applicationStatus: string | null): Promise<PipelineStatusRecord> {
  const statuses = (await readPipeline(tx)).filter(({ isActive }) => isActive)
  const categories = categoriesByStatus[applicationStatus ?? ''] ?? []
  for (const category of categories) {
    const first = statuses.find((status) => status.category === category)
    if (first !== undefined) return first
  }
  throw new RecordError(
    'ValidationError',
    `The pipeline has no active status for ${applicationStatus}. Add one of the category ${categories[0] ?? 'open'}.`,
  )
}

/** The status of a new applicant: the initial one when it is open. */
export async function startingStatusFor(
  tx: Transaction,
  applicationStatus: string | null,
): Promise<PipelineStatusRecord> {
  const initial = await requireStartingStatus(tx, undefined)
  const isApplied = applicationStatus === null || applicationStatus === 'Applied'
  return isApplied && initial.category === 'open' ? initial : firstStatusFor(tx, applicationStatus ?? 'Applied')
}

/** Runs a rule of the Client API. Throws its Problem as a RecordError. */
export async function asRecordError<Result>(rule: () => Promise<Result>): Promise<Result> {
  try {
    return await rule()
  } catch (error) {
    if (error instanceof Problem) throw new RecordError('ValidationError', error.message)
    throw error
  }
}
