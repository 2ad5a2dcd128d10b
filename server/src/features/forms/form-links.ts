import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { publicFormUrl } from './template-store.ts'

/** A form that somebody fills in for one student. */
export interface StudentForm {
  readonly tenantId: string
  readonly templateId: string
  readonly studentId: string
}

const form = /^([0-9a-f]{32})([A-Za-z0-9_-]{22})$/

/**
 * The end of the address at which a form is filled in for one student: the student's id and 128 bits of the HMAC-SHA256
 * (RFC 2104, truncated as its §5 permits) of tenant, template and student. It follows from the ids and the secret key alone,
 * so it is stored nowhere, and works as long as the form does.
 */
export function studentFormToken(secretKey: string, { tenantId, templateId, studentId }: StudentForm): string {
  return studentId.replaceAll('-', '') + signature(secretKey, [tenantId, templateId, studentId])
}

/** The student for whom a token opens a form; null when it was not made for this form with this key. */
export function openStudentFormToken(
  secretKey: string,
  { tenantId, templateId }: Pick<StudentForm, 'tenantId' | 'templateId'>,
  token: string,
): string | null {
  const [, digits = '', signed = ''] = form.exec(token) ?? []
  if (digits === '') return null
  const studentId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const expected = signature(secretKey, [tenantId, templateId, studentId])
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? studentId : null
}

/** The address at which a public form is filled in for one student. */
export function studentFormUrl(
  { publicUrl, secretKey }: { publicUrl: string; secretKey: string },
  template: { readonly tenantSlug: string; readonly key: string },
  student: StudentForm,
): string {
  return `${publicFormUrl(publicUrl, template.tenantSlug, template.key)}/${studentFormToken(secretKey, student)}`
}

/** The key has a purpose of its own (HKDF, RFC 5869), so that nothing else that the secret key signs opens a form. */
function signature(secretKey: string, ids: readonly string[]): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'matricula', 'form of a student, 1', 32))
  return createHmac('sha256', key).update(ids.join(' ')).digest().subarray(0, 16).toString('base64url')
}
