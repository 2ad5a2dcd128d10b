import pg from 'pg'

/**
 * The statements of the transaction in which something is done, as they were sent, `begin` and `commit` included: those of the
 * connection of this process that was sent the most of them meanwhile, because others look after the service itself.
 */
export async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const sent = new Map<pg.Client, string[]>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...words: unknown[]) {
    const [statement] = words as [string | { text?: string }]
    const text = typeof statement === 'string' ? statement : (statement.text ?? '')
    sent.set(this, [...(sent.get(this) ?? []), text.replace(/\s+/g, ' ').trim()])
    return (query as (...words: unknown[]) => unknown).apply(this, words)
  } as typeof query
  try {
    await run()
  } finally {
    pg.Client.prototype.query = query
  }
  const [busiest = []] = [...sent.values()].sort((one, other) => other.length - one.length)
  return busiest
}
