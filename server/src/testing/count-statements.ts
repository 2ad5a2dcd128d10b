import pg from 'pg'

/** A statement with its values. */
interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A statement that this process sent to the database, and the connection that it was sent on. */
interface SentStatement extends Statement {
  readonly connection: pg.Client
}

/** The statements that this process sends while something is done, in their order. */
export async function allStatementsOf(run: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...words: unknown[]) {
    const [first] = words as [string | (Partial<Statement> & { statements?: readonly Statement[] })]
    const statement = typeof first === 'string' ? { text: first } : first
    for (const { text = '', values = [] } of statement.statements ?? [statement]) {
      sent.push({ connection: this, text, values })
    }
    return (query as (...words: unknown[]) => unknown).apply(this, words)
  } as typeof query
  try {
    await run()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

const inOneLine = ({ text }: Statement) => text.replace(/\s+/g, ' ').trim()

/** The statements, in one line each, on whatever connection, that match a pattern and that this process sends while something is done. */
export async function statementsLike(pattern: RegExp, run: () => Promise<unknown>): Promise<string[]> {
  return (await allStatementsOf(run)).map(inOneLine).filter((text) => pattern.test(text))
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
  return sent.filter(({ connection }) => connection === busiest?.[0]).map(inOneLine)
}
