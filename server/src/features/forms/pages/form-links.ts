import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { publicFormUrl } from '../templates/template-store.ts'

/** A form for one student. */
export interface StudentForm {
  readonly tenantId: string
  readonly templateId: string
  readonly studentId: string
}

/** A saved draft of a form. */
export interface SavedForm {
  readonly tenantId: string
  readonly templateId: string
  readonly draftId: string
}

type FormReference = Pick<StudentForm, 'tenantId' | 'templateId'>

/** The purposes of links. Each has a key of its own, so that a link of one purpose is invalid for the other. */
const purposes = { student: 'form of a student, 1', draft: 'saved form, 1' } as const
type Purpose = keyof typeof purposes

const tokenPattern = /^([0-9a-f]{32})([A-Za-z0-9_-]{22})$/

/**
 * The token of a form for one student: the student's id and 128 bits of the HMAC-SHA256 (RFC 2104, truncated as its §5
 * permits) of tenant, template and student. It follows from the ids and the secret key alone, is not stored, and is
 * valid as long as the form is.
 */
export function studentFormToken(secretKey: string, { studentId, ...formReference }: StudentForm): string {
  return buildToken(secretKey, 'student', formReference, studentId)
}

/** The id of the student of a token; null when the token was not made for this form with this key. */
export function openStudentFormToken(secretKey: string, formReference: FormReference, text: string): string | null {
  return openToken(secretKey, 'student', formReference, text)
}

/** The token of a draft, made as that of a student from the draft's id. */
export function draftToken(secretKey: string, { draftId, ...formReference }: SavedForm): string {
  return buildToken(secretKey, 'draft', formReference, draftId)
}

/** The id of the draft of a token; null when the token was not made for this form with this key. */
export function openDraftToken(secretKey: string, formReference: FormReference, text: string): string | null {
  return openToken(secretKey, 'draft', formReference, text)
}

interface LinkConfig {
  readonly publicUrl: string
  readonly secretKey: string
}

interface LinkedTemplate {
  readonly tenantSlug: string
  readonly key: string
}

/** The address of a form for one student. */
export function studentFormUrl(config: LinkConfig, template: LinkedTemplate, student: StudentForm): string {
  return `${getFormUrl(config, template)}/${studentFormToken(config.secretKey, student)}`
}

/** The address of a draft. */
export function draftUrl(config: LinkConfig, template: LinkedTemplate, saved: SavedForm): string {
  return `${getFormUrl(config, template)}/draft/${draftToken(config.secretKey, saved)}`
}

function getFormUrl({ publicUrl }: LinkConfig, { tenantSlug, key }: LinkedTemplate): string {
  return publicFormUrl(publicUrl, tenantSlug, key)
}

function buildToken(secretKey: string, purpose: Purpose, { tenantId, templateId }: FormReference, id: string): string {
  return id.replaceAll('-', '') + signature(secretKey, purpose, [tenantId, templateId, id])
}

function openToken(
  secretKey: string,
  purpose: Purpose,
  { tenantId, templateId }: FormReference,
  text: string,
): string | null {
  const [, digits = '', signed = ''] = tokenPattern.exec(text) ?? []
  if (digits === '') return null
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const expected = signature(secretKey, purpose, [tenantId, templateId, id])
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? id : null
}

/** The key is derived per purpose (HKDF, RFC 5869), so that no other signature by the secret key opens a form. */
function signature(secretKey: string, purpose: Purpose, ids: readonly string[]): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'matricula', purposes[purpose], 32))
  return createHmac('sha256', key).update(ids.join(' ')).digest().subarray(0, 16).toString('base64url')
}
