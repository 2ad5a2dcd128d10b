import { Cancelled, DatabaseUnavailable } from '../../database/index.ts'
import { inSources } from '../../errors/index.ts'

/** Whether an error tells the operator something: not that a client hung up, nor that a tenant's line was full. */
export function isForOperator(error: unknown): boolean {
  if (error instanceof Cancelled) return false
  return !(error instanceof DatabaseUnavailable && error.cause === undefined)
}

/** What the log says of an error: its class, code and place, never the values that it was about. */
export function errorFacts(error: unknown): object {
  const { name, code, constraint, stack, cause } = error as NodeJS.ErrnoException & { constraint?: string }
  const locations = stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 12)
    .map(inSources)
  return { name, code, constraint, places: locations, ...(cause instanceof Error && { cause: errorFacts(cause) }) }
}
