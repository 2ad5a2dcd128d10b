import type { PublicLocale } from '@matricula/contract'
import { formatMoment, messagesIn } from '@matricula/pages'
import { type Database, sql } from '../../database/index.ts'
import type { Composer } from '../../mail/index.ts'
import { inLanguage, type Translations } from '../../tenancy/index.ts'
import { shortReference } from '../../values/index.ts'

/** A submitted file. */
interface ReceivedItem {
  readonly label: string
  readonly translations: Translations
  readonly fileName: string
  readonly receivedAt: string
}

/** The receipt of a submitted request. */
export interface RequestReceipt {
  /** The full name of the student or applicant, because the receipt is a proof. */
  readonly fullName: string
  readonly code: string
  readonly submittedAt: string
  readonly items: readonly ReceivedItem[]
}

/** The receipt of a request, in order of its items; null before it was submitted. */
export async function readReceipt(
  database: Database,
  tenantId: string,
  requestId: string,
): Promise<RequestReceipt | null> {
  const [row] = await database.read<RequestReceipt>(
    tenantId,
    sql`
      select coalesce(s.full_name, a.full_name) as "fullName", coalesce(s.student_code, a.application_code) as code,
             r.submitted_at as "submittedAt",
             (select coalesce(json_agg(json_build_object(
                       'label', i.label, 'translations', i.translations, 'fileName', v.file_name,
                       'receivedAt', stamp_text(v.uploaded_at)) order by i.position), '[]')
                from document_request_items i
                cross join lateral (
                  select n.file_name, n.uploaded_at from document_versions n
                   where n.tenant_id = ${tenantId} and n.document_id = i.document_id and n.status = 'ready'
                   order by n.version_number desc limit 1) v
               where i.tenant_id = ${tenantId} and i.request_id = r.id and i.status in ('uploaded', 'accepted')) as items
        from document_requests r
        left join students s on s.tenant_id = ${tenantId} and s.id = r.student_id
        left join admission_applications a on a.tenant_id = ${tenantId} and a.id = r.application_id
       where r.tenant_id = ${tenantId} and r.id = ${requestId} and r.submitted_at is not null`,
  )
  return row ?? null
}

/** The receipt with labels in a language. */
export function receiptIn(receipt: RequestReceipt, locale: PublicLocale): RequestReceipt {
  return { ...receipt, items: receipt.items.map((item) => inLanguage(item, item.translations, locale)) }
}

/** Writes the receipt by mail. */
export const requestReceiptComposer: Composer = async (database, tenant, { entityId, recipient, locale }) => {
  const found = await readReceipt(database, tenant.id, entityId)
  if (found === null) return null
  const { fullName, code, submittedAt, items } = receiptIn(found, locale)
  const { mails, receipt, form } = messagesIn(locale)
  const moment = (stamp: string) => formatMoment(locale, stamp, tenant.timeZone)
  const lines = items.map(({ label, fileName, receivedAt }) => `- ${label}: ${fileName} (${moment(receivedAt)})`)
  const parts = [
    mails.receipt.documents(tenant.name),
    lines.join('\n'),
    form.forWhom(`${fullName} (${code})`),
    receipt.received(moment(submittedAt)),
    receipt.reference(shortReference(entityId)),
    mails.receipt.keep,
  ]
  return {
    to: { name: '', address: recipient },
    subject: `${tenant.name}: ${receipt.title}`.replace(/\s+/g, ' '),
    text: `${parts.join('\n\n')}\n`,
  }
}
