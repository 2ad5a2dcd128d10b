import { formatMoment, messagesIn } from '@matricula/pages'
import { type Database, sql } from '../../../database/index.ts'
import type { Composer } from '../../../mail/index.ts'
import { inLanguage, type Translations } from '../../../tenancy/index.ts'
import { shortReference } from '../../../values/index.ts'

/** The receipt of a submitted form. */
export interface FormReceipt {
  readonly templateId: string
  readonly formName: string
  readonly texts: Translations
  /** The name and code of the student or applicant; null for a form without one. */
  readonly fullName: string | null
  readonly code: string | null
  readonly submittedAt: string
  readonly fileNames: readonly string[]
}

/** The receipt of a submission by its id, or null. */
export async function readFormReceipt(
  database: Database,
  tenantId: string,
  submissionId: string,
): Promise<FormReceipt | null> {
  const [row] = await database.read<FormReceipt>(
    tenantId,
    sql`
      select s.template_id as "templateId", f.name as "formName", f.translations as texts,
             coalesce(t.full_name, a.full_name) as "fullName", coalesce(t.student_code, a.application_code) as code,
             s.submitted_at as "submittedAt",
             array(select v.file_name
                     from form_submission_files l
                     join document_versions v
                       on v.tenant_id = ${tenantId} and v.document_id = l.document_id and v.version_number = 1
                    where l.tenant_id = ${tenantId} and l.submission_id = s.id order by l.position) as "fileNames"
        from form_submissions s
        join form_templates f on f.tenant_id = ${tenantId} and f.id = s.template_id
        left join students t on t.tenant_id = ${tenantId} and t.id = s.student_id
        left join admission_applications a on a.tenant_id = ${tenantId} and a.id = s.application_id
       where s.tenant_id = ${tenantId} and s.id = ${submissionId}`,
  )
  return row ?? null
}

/**
 * Writes the receipt by mail. Anybody can enter any address into a form, so the mail contains nothing that the sender
 * wrote but a name, and that only where no mail program would show any of it as a link.
 */
export const formReceiptComposer: Composer = async (database, tenant, { entityId, recipient, locale }) => {
  const found = await readFormReceipt(database, tenant.id, entityId)
  if (found === null) return null
  const { fullName, code, submittedAt } = found
  const { name } = inLanguage({ name: found.formName }, found.texts, locale)
  const { mails, receipt, form } = messagesIn(locale)
  const person = [fullName, code].filter((part) => part !== null && isPlainName(part)).join(', ')
  const parts = [
    mails.receipt.form(tenant.name, name),
    ...(person === '' ? [] : [form.forWhom(person)]),
    receipt.received(formatMoment(locale, submittedAt, tenant.timeZone)),
    receipt.reference(shortReference(entityId)),
    mails.receipt.keep,
  ]
  return {
    to: { name: '', address: recipient },
    subject: `${tenant.name}: ${receipt.title}`.replace(/\s+/g, ' '),
    text: `${parts.join('\n\n')}\n`,
  }
}

/** Whether a text is a plain name or code, in which a mail program finds no link. */
function isPlainName(text: string): boolean {
  return /^[\p{L}\p{M}\p{N} '’.-]{1,100}$/u.test(text) && !/\S\.\S/.test(text)
}
