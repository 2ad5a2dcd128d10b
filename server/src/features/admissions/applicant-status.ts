import type { Transaction } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { type PipelineStatusRecord, readPipeline, requireStartingStatus } from './pipeline.ts'

type Category = PipelineStatusRecord['category']

/** What each application status of the Resource API stands for, the category that a move leads to first. */
const categoriesOf: Readonly<Record<string, readonly Category[]>> = {
  Applied: ['open'],
  Approved: ['accepted'],
  Rejected: ['rejected', 'withdrawn'],
  Admitted: ['enrolled'],
}

/** The first active status of the pipeline that an application status stands for. Throws `ValidationError` without one. */
export async function firstStatusFor(tx: Transaction, applicationStatus: string | null): Promise<PipelineStatusRecord> {
  const statuses = (await readPipeline(tx)).filter(({ isActive }) => isActive)
  const categories = categoriesOf[applicationStatus ?? ''] ?? []
  for (const category of categories) {
    const first = statuses.find((status) => status.category === category)
    if (first !== undefined) return first
  }
  throw new RecordError(
    'ValidationError',
    `The pipeline has no active status for ${applicationStatus}. Add one of the category ${categories[0] ?? 'open'}.`,
  )
}

/** The status that a new applicant gets: where it is open, the one that every application starts with. */
export async function startingStatusFor(
  tx: Transaction,
  applicationStatus: string | null,
): Promise<PipelineStatusRecord> {
  const initial = await requireStartingStatus(tx, undefined)
  const isApplied = applicationStatus === null || applicationStatus === 'Applied'
  return isApplied && initial.category === 'open' ? initial : firstStatusFor(tx, applicationStatus ?? 'Applied')
}

/** Runs a rule of the Client API and tells what it refuses in the way of this surface. */
export async function toldAsRecord<Result>(rule: () => Promise<Result>): Promise<Result> {
  try {
    return await rule()
  } catch (error) {
    if (error instanceof Problem) throw new RecordError('ValidationError', error.message)
    throw error
  }
}
