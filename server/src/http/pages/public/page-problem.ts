import type { Fault } from '@matricula/contract'
import {
  type ClosedReason,
  formatSize,
  type Locale,
  messagesIn,
  type PageContext,
  renderClosedPage,
  typesText,
} from '@matricula/pages'
import type { FastifyRequest } from 'fastify'
import { Problem, validationProblem } from '../../../errors/index.ts'
import { asProblem } from '../../operations/problem-response.ts'

/** An expired or revoked link, with the contact of the institution. */
export class ClosedLink extends Problem {
  readonly institution: string
  readonly contact: string | null
  /** The language of the page that the institution has set. */
  readonly locale: string | null
  /** The language of the institution's own texts. */
  readonly language: string

  constructor(
    code: 'link_expired' | 'link_revoked',
    whom: { institution: string; contact: string | null; locale: string | null; language: string },
  ) {
    const reason = code === 'link_expired' ? 'has expired' : 'was revoked'
    super(code, `This link ${reason}. Ask ${whom.institution} for a new one.`)
    this.institution = whom.institution
    this.contact = whom.contact
    this.locale = whom.locale
    this.language = whom.language
  }
}

/** A problem as a page in the language of the reader. */
export function problemPage(context: PageContext, problem: Problem): string {
  const whom = problem instanceof ClosedLink ? problem : { institution: null, contact: null }
  const seconds = Number(problem.headers['retry-after'])
  return renderClosedPage({
    place: context,
    reason: getReason(problem),
    institution: whom.institution,
    contact: whom.contact,
    retryAfterSeconds: Number.isInteger(seconds) && seconds > 0 ? seconds : null,
    detail: reasonText(context.locale, problem),
  })
}

/** The reason of a problem, where the page has a message for it. */
function reasonText(locale: Locale, { code, extra }: Problem): string | null {
  const { faults: validationErrors } = messagesIn(locale)
  if (extra.rule === 'same_origin') return validationErrors.otherSite
  return code === 'validation_failed' ? validationErrors.unreadable : null
}

/** The message of a problem in the language of the reader, for pages and their scripts. */
export function problemText(locale: Locale, problem: Problem): string {
  const { faults: validationErrors, closed } = messagesIn(locale)
  const reason = getReason(problem)
  if (reason === 'expired' || reason === 'revoked') return `${closed[reason].title}. ${closed[reason].text}`
  if (reason === 'too_many_requests') return validationErrors.tooMany
  if (reason === 'unavailable') return validationErrors.unavailable
  if (problem.code === 'upload_incomplete' || problem.code === 'request_timeout') return validationErrors.interrupted
  if (problem.code === 'state_conflict') return validationErrors.noLongerOpen
  return reasonText(locale, problem) ?? validationErrors.failed
}

function getReason({ code, status }: Problem): ClosedReason {
  if (code === 'link_expired') return 'expired'
  if (code === 'link_revoked') return 'revoked'
  if (status === 404) return 'unknown'
  if (status === 429) return 'too_many_requests'
  return status >= 500 ? 'unavailable' : 'refused'
}

/** `validation_failed` for a form that cannot be parsed, with what to correct. */
export function unreadableForm(validationError: Omit<Fault, 'code'>): Problem {
  return validationProblem([{ ...validationError, code: 'format' }])
}

/** Converts whatever a page threw to a problem; a malformed or incomplete form is an error of its sender. */
export function asPageProblem(error: unknown, request: FastifyRequest): Problem {
  const problem = asProblem(error)
  if (problem.code !== 'internal_error') return problem
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (/boundary not found|needle/i.test(message)) {
    const detail = 'must name a boundary of 1 to 70 characters (RFC 2046 §5.1.1)'
    return unreadableForm({ in: 'header', name: 'Content-Type', detail })
  }
  const isCut = request.raw.destroyed && !request.raw.complete
  if (isCut || /multipart|terminated early/i.test(message)) {
    return new Problem('upload_incomplete', 'The form did not arrive whole. Send it again.')
  }
  if (code.startsWith('FST_')) return new Problem('unsupported_media_type', 'Send the form as multipart/form-data.')
  return problem
}

/** The limits of a file field. */
interface FileLocation {
  readonly allowedMimeTypes: readonly string[]
  readonly maxSizeBytes: number
}

/** The message for a rejected file, with what is accepted, in the language of the reader. */
export function fileProblemText(
  locale: Locale,
  problem: Problem,
  { allowedMimeTypes, maxSizeBytes }: FileLocation,
): string {
  const { faults: validationErrors } = messagesIn(locale)
  if (problem.code === 'content_too_large') return validationErrors.tooLarge(formatSize(locale, maxSizeBytes))
  if (problem.code !== 'file_rejected') return problemText(locale, problem)
  const { expected = {}, found = {} } = problem.extra as { expected?: object; found?: object }
  if ('virus' in found) return validationErrors.infected
  if ('sizeBytes' in found) return validationErrors.tooLarge(formatSize(locale, maxSizeBytes))
  if ('allowedMimeTypes' in expected) return validationErrors.type(typesText(locale, allowedMimeTypes))
  return validationErrors.otherContent
}
