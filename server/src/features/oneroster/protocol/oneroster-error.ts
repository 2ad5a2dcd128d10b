import type { ProblemCode } from '@matricula/contract'
import type { Problem } from '../../../errors/index.ts'
import type { OneRosterErrorCode } from './error-codes.ts'
import { getCodeStatus } from './error-codes.ts'

/** An error of OneRoster: one of its minor codes, and one sentence on this very case. */
export class OneRosterError extends Error {
  readonly code: OneRosterErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: OneRosterErrorCode,
    description: string,
    headers: Record<string, string> = {},
    status: number = getCodeStatus[code],
  ) {
    super(description)
    this.code = code
    this.status = status
    this.headers = headers
  }
}

/** The body of an error (OneRoster 1.2, imsx_StatusInfo). */
export function errorBody({ code, message }: Pick<OneRosterError, 'code' | 'message'>): string {
  return JSON.stringify({
    imsx_codeMajor: 'failure',
    imsx_severity: 'error',
    imsx_description: message,
    imsx_CodeMinor: {
      imsx_codeMinorField: [{ imsx_codeMinorFieldName: 'TargetEndSystem', imsx_codeMinorFieldValue: code }],
    },
  })
}

const problemCodes: Readonly<Partial<Record<ProblemCode, OneRosterErrorCode>>> = {
  authentication_required: 'unauthorisedrequest',
  invalid_token: 'unauthorisedrequest',
  token_expired: 'unauthorisedrequest',
  token_revoked: 'unauthorisedrequest',
  authentication_throttled: 'server_busy',
  rate_limit_exceeded: 'server_busy',
  service_unavailable: 'server_busy',
  route_not_found: 'unknownobject',
  resource_not_found: 'unknownobject',
}

/** A problem of the service as an error of OneRoster. */
export function fromProblem(problem: Problem): OneRosterError {
  const { status, message } = problem
  const code =
    problemCodes[problem.code] ??
    (status === 403 ? 'forbidden' : status < 500 ? 'invaliddata' : 'internal_server_error')
  return new OneRosterError(code, message, { ...problem.headers })
}
