import type pg from 'pg'
import type { Sql } from '../../database/index.ts'
import { currencies, isWithdrawn } from '../../money/index.ts'
import { describeZoneError, findInstitutionsZones } from '../../tenancy/index.ts'
import type { Check } from './check.ts'

/** A transaction that is open for longer keeps others waiting, and old rows from being cleared. */
const longestMinutes = 15

/** Whether somebody has left a transaction open. */
export async function checkTransactions(client: pg.Client, minutes = longestMinutes): Promise<Check> {
  const name = 'transactions'
  const { rows } = await client.query<{ program: string; state: string; minutes: number; pid: number }>(
    `select coalesce(nullif(application_name, ''), 'a program without a name') as program, state, pid,
            floor(extract(epoch from now() - xact_start) / 60)::integer as minutes
       from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and xact_start < now() - make_interval(mins => $1)
      order by xact_start limit 10`,
    [minutes],
  )
  if (rows.length === 0) return { name, status: 'ok', detail: `none is open for ${minutes} minutes` }
  const reported = rows.map(
    ({ program, state, minutes, pid }) => `${program} (${state}, ${minutes} minutes, process ${pid})`,
  )
  const advice = 'End what nobody waits for: select pg_terminate_backend(the process).'
  return { name, status: 'warning', detail: `open for long: ${reported.join('; ')}. ${advice}` }
}

/** Whether what was booked of each voucher is the same on both sides. */
export async function checkLedger(client: pg.Client): Promise<Check> {
  const name = 'ledger'
  const { rows } = await client.query<{ slug: string; voucher: string }>(
    `select t.slug, coalesce(g.voucher_type, '') || ' ' || coalesce(g.voucher_no, '') as voucher
       from gl_entries g join tenants t on t.id = g.tenant_id
      group by t.slug, g.tenant_id, g.company, g.voucher_type, g.voucher_no
     having sum(g.debit) <> sum(g.credit)
      order by 1, 2 limit 10`,
  )
  if (rows.length === 0) return { name, status: 'ok', detail: 'debit and credit of every voucher are the same' }
  const reported = rows.map(({ slug, voucher }) => `${voucher.trim()} of ${slug}`)
  return { name, status: 'failure', detail: `out of balance: ${reported.join(', ')}. Please report this.` }
}

/** Whether institutions are in currencies that are no longer. */
export async function checkCurrencies(client: pg.Client): Promise<Check> {
  const name = 'currencies'
  const today = new Date().toISOString().slice(0, 10)
  const current = currencies.filter((currency) => !isWithdrawn(currency, today)).map(({ code }) => code)
  const { rows } = await client.query<{ slug: string; currency: string }>(
    `select slug, currency from tenants where currency <> all ($1) order by slug limit 10`,
    [current],
  )
  if (rows.length === 0) return { name, status: 'ok', detail: 'those of all institutions are in ISO 4217' }
  const found = rows.map(({ slug, currency }) => `${currency} of ${slug}`)
  const advice = 'Run: matricula tenant update <slug> --currency <code>'
  return { name, status: 'warning', detail: `withdrawn, or none of ISO 4217: ${found.join(', ')}. ${advice}` }
}

/** How many payments are in another currency than their institution: without `currency` one of the Client API is in USD. */
export async function countPaymentsInOtherCurrencies(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ slug: string; currency: string; payments: number }>(
    `select t.slug, p.currency, count(*)::integer as payments
       from payments p join tenants t on t.id = p.tenant_id
      where p.currency <> t.currency
      group by t.slug, p.currency
      order by t.slug, p.currency limit 10`,
  )
  const found = rows.map(({ slug, currency, payments }) => `${payments} in ${currency} of ${slug}`)
  const detail =
    found.length === 0 ? 'all are in the currency of their institution' : `in another currency: ${found.join(', ')}`
  return { name: 'payments', status: 'ok', detail }
}

/** Whether Node and the database have the same clocks for the zones of the institutions. */
export async function checkZones(client: pg.Client): Promise<Check[]> {
  const name = 'time zones'
  const readGlobal = async <Row extends object>({ text, values }: Sql) => (await client.query<Row>(text, values)).rows
  const found = await findInstitutionsZones({ readGlobal })
  if (found.length === 0) {
    return [{ name, status: 'ok', detail: 'Node and the database have the same clocks for every institution' }]
  }
  return found.map(({ zone, slugs, fault: validationError }) => ({
    name,
    status: validationError === 'runtime' ? 'failure' : 'warning',
    detail: `of ${slugs.slice(0, 10).join(', ')}: ${describeZoneError(zone, validationError)}`,
  }))
}

/** Mails that wait, and for how long the first has been due. */
export async function checkMails(client: pg.Client, isSent: boolean): Promise<Check> {
  const name = 'mails'
  const { rows } = await client.query<{ waiting: number; minutes: number; given_up: number }>(
    `select waiting::integer, floor(oldest_due_seconds / 60)::integer as minutes,
            (select count(*) from outgoing_mails where failed_at > now() - interval '1 day')::integer as given_up
       from mail_totals()`,
  )
  const { waiting = 0, minutes = 0, given_up: givenUp = 0 } = rows[0] ?? {}
  const detail = `${waiting} waiting, ${givenUp} given up within a day`
  if (minutes < longestMinutes && (givenUp === 0 || !isSent)) return { name, status: 'ok', detail }
  const advice = isSent
    ? 'The log says of what: matricula needs a server at SMTP_URL that takes them.'
    : 'Set SMTP_URL.'
  return { name, status: 'warning', detail: `${detail}, the first due for ${minutes} minutes. ${advice}` }
}

/**
 * Whether people have passkeys of host names at which their institution is not reached, where nothing opens by them.
 */
export async function checkPasskeys(client: pg.Client, publicHost: string): Promise<Check> {
  const name = 'passkeys'
  const { rows } = await client.query<{ slug: string; host: string; people: number }>(
    `select t.slug, p.rp_id as host, count(distinct p.user_id)::integer as people
       from passkeys p join tenants t on t.id = p.tenant_id
      where p.rp_id is distinct from t.host and p.rp_id <> $1
      group by t.slug, p.rp_id order by 1, 2 limit 10`,
    [publicHost],
  )
  if (rows.length === 0) return { name, status: 'ok', detail: 'all are of host names of their institution' }
  const reported = rows.map(({ slug, host, people }) => `of ${slug} for ${host} (by people: ${people})`)
  const advice =
    'Where the host name is right, set it: PUBLIC_URL, or matricula tenant update --host. Where it is left for good, let people add new ones: matricula user forget-passkeys --tenant <slug> --made-for <host>'
  return {
    name,
    status: 'warning',
    detail: `made for host names that are neither that of PUBLIC_URL nor of their institution: ${reported.join('; ')}. ${advice}`,
  }
}
