import pg from 'pg'

/** A statement that this process sent to the database, in one line, and the connection that it was sent on. */
interface SentStatement {
  readonly connection: pg.Client
  readonly text: string
}

/** The statements that this process sends while something is done, in their order. */
async function allStatementsOf(run: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...words: unknown[]) {
    const [statement] = words as [string | { text?: string; texts?: string[] }]
    const texts = typeof statement === 'string' ? [statement] : (statement.texts ?? [statement.text ?? ''])
    for (const text of texts) sent.push({ connection: this, text: text.replace(/\s+/g, ' ').trim() })
    return (query as (...words: unknown[]) => unknown).apply(this, words)
  } as typeof query
  try {
    await run()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

/** The statements, on whatever connection, that match a pattern and that this process sends while something is done. */
export async function statementsLike(pattern: RegExp, run: () => Promise<unknown>): Promise<string[]> {
  return (await allStatementsOf(run)).map(({ text }) => text).filter((text) => pattern.test(text))
}

/**
 * The statements of the transaction in which something is done, as they were sent, `begin` and `commit` included: those of the
 * connection of this process that was sent the most of them meanwhile, because others look after the service itself.
 */
export async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const sent = await allStatementsOf(run)
  const counts = new Map<pg.Client, number>()
  for (const { connection } of sent) counts.set(connection, (counts.get(connection) ?? 0) + 1)
  const [busiest] = [...counts].sort(([, one], [, other]) => other - one)
  return sent.filter(({ connection }) => connection === busiest?.[0]).map(({ text }) => text)
}
