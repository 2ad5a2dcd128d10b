import { Cancelled, DatabaseUnavailable } from '../../database/index.ts'
import { inSources } from '../../errors/index.ts'

/** Whether an error concerns the operator: not a client that disconnected, nor a tenant whose queue was full. */
export function isForOperator(error: unknown): boolean {
  if (error instanceof Cancelled) return false
  return !(error instanceof DatabaseUnavailable && error.cause === undefined)
}

/** The facts of an error for the log: class, code and stack, never the values involved. */
export function errorFacts(error: unknown): object {
  const { name, code, constraint, stack, cause } = error as NodeJS.ErrnoException & { constraint?: string }
  const locations = stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 12)
    .map(inSources)
  return { name, code, constraint, places: locations, ...(cause instanceof Error && { cause: errorFacts(cause) }) }
}
