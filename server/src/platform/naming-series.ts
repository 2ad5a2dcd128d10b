import { sql, type Transaction } from '../database/index.ts'
import { lockCounter } from './locks.ts'
import { todayIn } from './time-zones.ts'

/**
 * The next name of a series, such as `EDU-STU-2026-00001`: the prefix, the year in the tenant's time zone, and a number
 * of at least five digits. Its row stays locked until the transaction ends, so call it as late as possible.
 */
export async function nextInSeries(tx: Transaction, prefix: string, timeZone: string): Promise<string> {
  const head = `${prefix}-${todayIn(timeZone).split('-')[0]}-`
  await lockCounter(tx, head)
  const [row] = await tx.query<{ current: number }>(sql`
    insert into naming_series (tenant_id, prefix, current) values (${tx.tenantId}, ${head}, 1)
    on conflict on constraint naming_series_pkey do update set current = naming_series.current + 1
    returning current`)
  return head + String(row?.current).padStart(5, '0')
}

/** Keeps a series from giving out a name that somebody chose: moves it past that name's number. */
export async function passInSeries(tx: Transaction, prefix: string, name: string): Promise<void> {
  const parts = /^(.*)-(\d{4}-)(\d{5,9})$/.exec(name)
  if (parts === null || parts[1] !== prefix) return
  await lockCounter(tx, `${prefix}-${parts[2]}`)
  tx.send(sql`
    insert into naming_series (tenant_id, prefix, current) values (${tx.tenantId}, ${`${prefix}-${parts[2]}`}, ${Number(parts[3])})
    on conflict on constraint naming_series_pkey
    do update set current = greatest(naming_series.current, excluded.current)`)
}
