import { type Sql, sql, type Transaction } from '../database/index.ts'

/** A transaction that tells how its queries would be read where reading a whole table is the last resort; nothing is read or written. */
export async function explaining(tx: Transaction): Promise<{ readonly tx: Transaction; plan(): string }> {
  await tx.query(sql`set local enable_seqscan = off`)
  const lines: string[] = []
  const query = async <Row extends object>(statement: Sql): Promise<Row[]> => {
    const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
    lines.push(...rows.map((row) => row['QUERY PLAN']))
    return []
  }
  return { tx: { ...tx, query: query as Transaction['query'] }, plan: () => lines.join('\n') }
}

/** What the indexes of a table are asked for in a plan, one condition for each time that it is read by one. */
export function indexConditions(plan: string, table: string): string[] {
  const lines = plan.split('\n')
  return lines.flatMap((line, at) => (new RegExp(` on ${table}( |$)`).test(line) ? [lines[at + 1]?.trim() ?? ''] : []))
}
