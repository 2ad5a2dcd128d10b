import type { PublicLocale } from '@matricula/contract'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { newId } from '../ids.ts'
import type { Job } from '../jobs.ts'
import type { TenantRecord } from '../tenants.ts'
import type { Letter, Mailer } from './mailer.ts'

/** What mails tell of. */
export type MailKind = 'document_request' | 'password_reset' | 'welcome'

/** A mail that is to be sent. What it says is made when it is sent, so that no link is kept. */
export interface OutgoingMail {
  readonly id: string
  readonly kind: MailKind
  readonly entityId: string
  readonly recipient: string
  readonly locale: PublicLocale
}

/** Writes the letter of a mail; null when there is nothing to tell any more. */
export type Composer = (database: Database, tenant: TenantRecord, mail: OutgoingMail) => Promise<Letter | null>

interface MailLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** Puts a mail out, in the transaction of what it tells of. A job sends it. */
export function putOut(tx: Transaction, { kind, entityId, recipient, locale }: Omit<OutgoingMail, 'id'>): void {
  tx.send(sql`
    insert into outgoing_mails (tenant_id, id, kind, entity_id, recipient, locale)
    values (${tx.tenantId}, ${newId()}, ${kind}, ${entityId}, ${recipient}, ${locale})`)
}

/** Mails of a tenant that one run sends, so that a stop need not wait for all of them. */
const mostAtOnce = 20

/** After this long a mail that cannot be sent is given up. */
const patienceHours = 24

/**
 * Sends what was put out; without a mailer it gives each mail up and says so. A mail that was not taken is sent again after
 * one minute, then two, four and so on up to two hours, for a day; a recipient that the server refuses for good is given up
 * at once. A mail may come twice when the process ends between its sending and the note of it, never not at all.
 */
export function mailJob(mailer: Mailer | null, composers: Readonly<Record<MailKind, Composer>>, log: MailLog): Job {
  return {
    name: 'outgoing-mails',
    everySeconds: 15,
    run: async (database, tenant, hasTime = () => true) => {
      for (let sent = 0; sent < mostAtOnce && hasTime(); sent += 1) {
        const mail = await claimNext(database, tenant.id)
        if (mail === null) return
        const isServerThere = await sendOne(database, tenant, mail)
        if (!isServerThere) return
      }
    },
  }

  async function sendOne(database: Database, tenant: TenantRecord, mail: ClaimedMail): Promise<boolean> {
    const facts = { tenant: tenant.slug, mail: mail.id, kind: mail.kind, attempt: mail.attempts }
    if (mailer === null) {
      await note(database, tenant.id, mail.id, { failure: 'SMTP_URL is not set', isFinal: true })
      log.warn(facts, 'no mail was sent: SMTP_URL is not set')
      return true
    }
    const letter = await composers[mail.kind](database, tenant, mail)
    if (letter === null) {
      await note(database, tenant.id, mail.id, { failure: 'there is nothing to tell any more', isFinal: true })
      return true
    }
    try {
      await mailer.send(mail.id, letter)
    } catch (error) {
      const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number }
      const failure = responseCode === undefined ? code : `${code} ${responseCode}`
      const isRefused = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500
      const isFinal = isRefused || mail.isOld
      await note(database, tenant.id, mail.id, { failure, isFinal })
      log.warn({ ...facts, failure }, isFinal ? 'a mail was given up' : 'a mail was not sent and will be tried again')
      return responseCode !== undefined
    }
    await note(database, tenant.id, mail.id, null)
    log.info(facts, 'a mail was sent')
    return true
  }
}

interface ClaimedMail extends OutgoingMail {
  readonly attempts: number
  /** Whether this is the last time that it is tried. */
  readonly isOld: boolean
}

/** The mail that is due for longest, with its next attempt set, in case this one is never heard of again. */
async function claimNext(database: Database, tenantId: string): Promise<ClaimedMail | null> {
  const [mail] = await database.transaction(tenantId, (tx) =>
    tx.query<ClaimedMail>(sql`
      update outgoing_mails
         set attempts = attempts + 1,
             next_attempt_at = current_stamp() + least(interval '2 hours', interval '1 minute' * 2 ^ least(attempts, 10))
       where tenant_id = ${tenantId}
         and id = (select id from outgoing_mails
                    where tenant_id = ${tenantId} and sent_at is null and failed_at is null and next_attempt_at <= now()
                    order by next_attempt_at, id limit 1 for update skip locked)
      returning id, kind, entity_id as "entityId", recipient, locale, attempts,
                next_attempt_at > created_at + make_interval(hours => ${patienceHours}) as "isOld"`),
  )
  return mail ?? null
}

async function note(
  database: Database,
  tenantId: string,
  id: string,
  outcome: { failure: string; isFinal: boolean } | null,
): Promise<void> {
  await database.transaction(tenantId, (tx) =>
    tx.query(sql`
      update outgoing_mails
         set sent_at = case when ${outcome === null}::boolean then current_stamp() end,
             failed_at = case when ${outcome?.isFinal === true}::boolean then current_stamp() end,
             last_error = ${outcome?.failure ?? null}
       where tenant_id = ${tx.tenantId} and id = ${id}`),
  )
}
