import { problems } from '@matricula/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Cancelled, DatabaseUnavailable, ResultTooLarge } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { AmountError } from '../../money/index.ts'
import { FileStoreUnavailable } from '../../storage/index.ts'
import { maximumBodyBytes } from './body-parser.ts'
import { errorFacts, isForOperator } from './error-facts.ts'
import type { ProblemForm } from './mounting.ts'

export const problemMediaType = 'application/problem+json; charset=utf-8'

/**
 * The body of a problem (RFC 9457). `instance` is the request id, so that two responses with the same problem differ
 * in nothing else.
 */
export function problemBody(problem: Problem, requestId: string, publicUrl: string): string {
  return JSON.stringify(problemDocument(problem, requestId, publicUrl))
}

/** The problem document as an object, to embed it in other responses. */
export function problemDocument(problem: Problem, requestId: string, publicUrl: string): object {
  return {
    type: `${publicUrl}/problems/${problem.code}`,
    title: problems[problem.code].title,
    status: problem.status,
    code: problem.code,
    detail: problem.message,
    instance: `urn:uuid:${requestId}`,
    requestId,
    ...problem.extra,
  }
}

/** The problem document as an error format. */
export function problemForm(publicUrl: string): ProblemForm {
  return { problemMediaType, ofProblem: (problem, requestId) => problemBody(problem, requestId, publicUrl) }
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  { problemMediaType, ofProblem }: ProblemForm,
): FastifyReply {
  request.problemCode = problem.code
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', problemMediaType)
    .send(ofProblem(problem, request.id))
}

/** Sends whatever was thrown as a problem, and logs what concerns the operator. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  form: ProblemForm,
): FastifyReply {
  const problem = asProblem(error, request.routeOptions.config.operation?.file?.maxBytes)
  if (problem.status >= 500 && isForOperator(error))
    request.server.log.error({ requestId: request.id, error: errorFacts(error) }, 'request failed')
  return sendProblem(request, reply, problem, form)
}

/**
 * Converts whatever was thrown to a problem: a problem itself, a parser error of Fastify, or a 5xx without internal
 * details.
 *
 * @param maxBytes The most bytes of the body, where it is no JSON
 */
export function asProblem(error: unknown, maxBytes: number = maximumBodyBytes): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable) {
    const { message, retryAfterSeconds } = error
    return new Problem('service_unavailable', message, {}, { 'retry-after': String(retryAfterSeconds) })
  }
  if (error instanceof FileStoreUnavailable) {
    const { advice, retryAfterSeconds } = error
    return new Problem('service_unavailable', advice, {}, { 'retry-after': String(retryAfterSeconds) })
  }
  if (error instanceof Cancelled) {
    return new Problem('service_unavailable', 'The client hung up.', {}, { 'retry-after': '1' })
  }
  if (error instanceof AmountError) return new Problem('rule_violated', error.message, { rule: 'amount_too_precise' })
  if (error instanceof ResultTooLarge) {
    return new Problem(
      'record_too_large',
      'What this asks for is larger than one record may be. Take contacts, links or free fields away.',
      { maxBytes: error.maxBytes },
    )
  }
  switch ((error as { code?: string }).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('content_too_large', `The body may have at most ${maxBytes} bytes.`, { maxBytes })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('malformed_json', 'The body is shorter or longer than its Content-Length.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new Problem('unsupported_media_type', 'Send the body as application/json.', {
        allowed: ['application/json'],
      })
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem('route_not_found', 'The path cannot be read: check its percent-encoding.')
    default:
      return new Problem('internal_error', 'The service failed. Nothing was written; the request may be repeated.')
  }
}
