import type { PublicLocale } from '@matricula/contract'
import { messagesIn } from '@matricula/pages'
import { sql } from '../../../database/index.ts'
import { type Composer, putOut } from '../../../mail/index.ts'
import type { RecordWork } from '../../../record-engine/index.ts'

/** Queues the mail that a place is offered, to the student and the guardians, where mails are sent. */
export async function putOutOffer({ tx, sendsMail }: RecordWork, entry: string): Promise<void> {
  if (!sendsMail) return
  const rows = await tx.query<{ id: string; recipient: string; language: PublicLocale }>(sql`
    select distinct e.id, t.language, lower(trim(address)) as recipient
      from waiting_list_entries e
      join tenants t on t.id = e.tenant_id
      join student_records s on s.tenant_id = e.tenant_id and s.name = e.student
      left join student_guardian_rows r on r.tenant_id = s.tenant_id and r.parent_id = s.id
      left join guardian_records g on g.tenant_id = r.tenant_id and g.name = r.guardian
      cross join lateral unnest(array[s.student_email_id, g.email_address]) address
     where e.tenant_id = ${tx.tenantId} and e.name = ${entry} and trim(address) <> ''
     order by recipient`)
  for (const { id, recipient, language } of rows) {
    putOut(tx, { kind: 'place_offered', entityId: id, recipient, locale: language })
  }
}

interface Offer {
  readonly student: string
  readonly group: string
  readonly day: string
}

/** Composes that mail; nothing where the offer was answered or has lapsed since. */
export const offerMailComposers: Readonly<Record<'place_offered', Composer>> = {
  place_offered: async (database, tenant, { entityId, recipient, locale }) => {
    const [offer] = await database.read<Offer>(
      tenant.id,
      sql`select coalesce(student_name, student) as student, student_group as "group", offer_expires_on::text as day
            from waiting_list_entries where tenant_id = ${tenant.id} and id = ${entityId} and status = 'Offered'`,
    )
    if (offer === undefined) return null
    const { subject, offered, advice } = messagesIn(locale).mails.place
    return {
      to: { name: '', address: recipient },
      subject: subject(tenant.name, offer.group).replace(/\s+/g, ' '),
      text: `${[offered(offer.student, offer.group, offer.day), advice(tenant.name)].join('\n\n')}\n`,
    }
  },
}
