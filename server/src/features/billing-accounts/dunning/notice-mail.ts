import { sql } from '../../../database/index.ts'
import type { Composer } from '../../../mail/index.ts'

/** Composes the mail of a notice, as it was sent. */
export const dunningMailComposer: Composer = async (database, tenant, { entityId, recipient }) => {
  const [notice] = await database.read<{ subject: string; text: string }>(
    tenant.id,
    sql`select subject, text from dunning_notices
         where tenant_id = ${tenant.id} and id = ${entityId} and status = 'sent' and text is not null`,
  )
  if (notice === undefined) return null
  return { to: { name: '', address: recipient }, subject: notice.subject, text: `${notice.text}\n` }
}
