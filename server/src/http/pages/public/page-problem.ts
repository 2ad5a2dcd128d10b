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

/** A link that was given out and opens nothing any more, with whom to ask. */
export class ClosedLink extends Problem {
  readonly institution: string
  readonly contact: string | null
  /** The language that the institution gave the page. */
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

/** A problem as a page in the visitor's language. */
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

/** Why something was refused, where the page has words for it. */
function reasonText(locale: Locale, { code, extra }: Problem): string | null {
  const { faults: validationErrors } = messagesIn(locale)
  if (extra.rule === 'same_origin') return validationErrors.otherSite
  return code === 'validation_failed' ? validationErrors.unreadable : null
}

/** What a problem is in a sentence of the visitor's language, for pages and their scripts. */
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

/** The problem of a form that cannot be read, with what its sender has to mend. */
export function unreadableForm(validationError: Omit<Fault, 'code'>): Problem {
  return validationProblem([{ ...validationError, code: 'format' }])
}

const tooLarge = ['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT', 'FST_REQ_FILE_TOO_LARGE']

const unreadable = ['FST_PROTO_VIOLATION']

/** Whatever was thrown on the way of a page, as a problem; a form that came broken or in part is its sender's. */
export function asPageProblem(error: unknown, request: FastifyRequest): Problem {
  const problem = asProblem(error)
  if (problem.code !== 'internal_error') return problem
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (tooLarge.includes(code)) return new Problem('content_too_large', 'The form has too many or too large parts.')
  if (/boundary not found|needle/i.test(message)) {
    const detail = 'must name a boundary of 1 to 70 characters (RFC 2046 §5.1.1)'
    return unreadableForm({ in: 'header', name: 'Content-Type', detail })
  }
  if (unreadable.includes(code)) {
    return unreadableForm({ in: 'body', pointer: '#', detail: 'has a part that no form of this page has' })
  }
  const isCut = request.raw.destroyed && !request.raw.complete
  if (isCut || code === 'FST_MP_PREMATURE_CLOSE' || /multipart|terminated early/i.test(message)) {
    return new Problem('upload_incomplete', 'The form did not arrive whole. Send it again.')
  }
  if (code.startsWith('FST_')) return new Problem('unsupported_media_type', 'Send the form as multipart/form-data.')
  return problem
}

/** What a place for a file takes. */
interface FileLocation {
  readonly allowedMimeTypes: readonly string[]
  readonly maxSizeBytes: number
}

/** Why a file was refused, and what would be taken, in a sentence of the visitor's language. */
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
