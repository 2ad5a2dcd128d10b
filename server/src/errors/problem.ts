import { type Fault, maximumFaults, type ProblemCode, problems } from '@matricula/contract'

/**
 * A refusal that the caller is told about: a code of the contract's table, one sentence on this very case, and the
 * members that the code carries. Thrown wherever the rule is, sent by the HTTP layer.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    detail: string,
    extra: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(detail)
    this.code = code
    this.status = problems[code].status
    this.extra = extra
    this.headers = headers
  }
}

/** The problem of a request that breaks its schema, with the first faults of those that were found, or all of them. */
export function validationProblem(
  validationErrors: readonly Fault[],
  found: number = validationErrors.length,
): Problem {
  const errors = validationErrors.slice(0, maximumFaults)
  const where = errors[0]?.pointer ?? errors[0]?.name ?? ''
  const rest =
    found > errors.length
      ? ` (and ${found - 1} more, the first of them in errors)`
      : found > 1
        ? ` (and ${found - 1} more in errors)`
        : ''
  const said = `${where}: ${errors[0]?.detail ?? 'is not valid'}${rest}`
  return new Problem('validation_failed', said.endsWith('?') ? said : `${said}.`, { errors })
}

/** The problem of a field of the body that names a record which the tenant does not have. */
export function referenceProblem(field: string, what: string): Problem {
  const validationError: Fault = {
    in: 'body',
    pointer: `#/${field}`,
    code: 'inconsistent',
    detail: `names no ${what} of this tenant`,
  }
  return new Problem('reference_not_found', `${field} names no ${what} of this tenant.`, { errors: [validationError] })
}

/** The problem of an upsert whose body names another externalId than its path. */
export function otherExternalIdProblem(): Problem {
  const detail = 'must equal the externalId of the path'
  return validationProblem([{ in: 'body', pointer: '#/externalId', code: 'inconsistent', detail }])
}

/** The problem of an address whose record the tenant does not have; the same for a record of another tenant. */
export function notFoundProblem(what: string): Problem {
  return new Problem('resource_not_found', `There is no ${what} with this id.`)
}
