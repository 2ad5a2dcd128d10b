import { notFoundProblem, Problem } from '../../errors/index.ts'
import { RecordError } from '../model/record-error.ts'

/**
 * Runs work with records for an operation; what their rules refuse becomes a problem.
 *
 * @param what What is not there where a record does not exist, in words.
 */
export async function asProblem<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    if (error.type === 'DoesNotExistError') throw notFoundProblem(what)
    if (error.type === 'PermissionError') throw new Problem('insufficient_role', error.message, { requiredRoles: [] })
    throw new Problem('rule_violated', error.message, { rule: 'records' })
  }
}
