import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { publicFormUrl } from '../templates/template-store.ts'

/** A form that somebody fills in for one student. */
export interface StudentForm {
  readonly tenantId: string
  readonly templateId: string
  readonly studentId: string
}

/** What somebody saved of a form. */
export interface SavedForm {
  readonly tenantId: string
  readonly templateId: string
  readonly draftId: string
}

type OfForm = Pick<StudentForm, 'tenantId' | 'templateId'>

/** What a link opens. Each purpose has a key of its own, so that no link opens something else. */
const purposes = { student: 'form of a student, 1', draft: 'saved form, 1' } as const
type Purpose = keyof typeof purposes

const form = /^([0-9a-f]{32})([A-Za-z0-9_-]{22})$/

/**
 * The end of the address at which a form is filled in for one student: the student's id and 128 bits of the HMAC-SHA256
 * (RFC 2104, truncated as its §5 permits) of tenant, template and student. It follows from the ids and the secret key alone,
 * so it is stored nowhere, and works as long as the form does.
 */
export function studentFormToken(secretKey: string, { studentId, ...ofForm }: StudentForm): string {
  return token(secretKey, 'student', ofForm, studentId)
}

/** The student for whom a token opens a form; null when it was not made for this form with this key. */
export function openStudentFormToken(secretKey: string, ofForm: OfForm, text: string): string | null {
  return opened(secretKey, 'student', ofForm, text)
}

/** The end of the address at which somebody goes on with a form that was saved: made as that of a student, for the saved form's id. */
export function draftToken(secretKey: string, { draftId, ...ofForm }: SavedForm): string {
  return token(secretKey, 'draft', ofForm, draftId)
}

/** The id of the saved form that a token opens; null when it was not made for this form with this key. */
export function openDraftToken(secretKey: string, ofForm: OfForm, text: string): string | null {
  return opened(secretKey, 'draft', ofForm, text)
}

interface LinkConfig {
  readonly publicUrl: string
  readonly secretKey: string
}

interface LinkedTemplate {
  readonly tenantSlug: string
  readonly key: string
}

/** The address at which a public form is filled in for one student. */
export function studentFormUrl(config: LinkConfig, template: LinkedTemplate, student: StudentForm): string {
  return `${getAddress(config, template)}/${studentFormToken(config.secretKey, student)}`
}

/** The address at which somebody goes on with a saved form. */
export function draftUrl(config: LinkConfig, template: LinkedTemplate, saved: SavedForm): string {
  return `${getAddress(config, template)}/draft/${draftToken(config.secretKey, saved)}`
}

function getAddress({ publicUrl }: LinkConfig, { tenantSlug, key }: LinkedTemplate): string {
  return publicFormUrl(publicUrl, tenantSlug, key)
}

function token(secretKey: string, purpose: Purpose, { tenantId, templateId }: OfForm, id: string): string {
  return id.replaceAll('-', '') + signature(secretKey, purpose, [tenantId, templateId, id])
}

function opened(secretKey: string, purpose: Purpose, { tenantId, templateId }: OfForm, text: string): string | null {
  const [, digits = '', signed = ''] = form.exec(text) ?? []
  if (digits === '') return null
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const expected = signature(secretKey, purpose, [tenantId, templateId, id])
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? id : null
}

/** The key has a purpose of its own (HKDF, RFC 5869), so that nothing else that the secret key signs opens a form. */
function signature(secretKey: string, purpose: Purpose, ids: readonly string[]): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'matricula', purposes[purpose], 32))
  return createHmac('sha256', key).update(ids.join(' ')).digest().subarray(0, 16).toString('base64url')
}
