import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

type Message = Parameters<StdioServerTransport['send']>[0]

/**
 * Standard input and output, of which the end of the input counts once everything that was asked before it is answered: a file of
 * requests that is piped in gets all of its answers.
 */
export class DrainingTransport extends StdioServerTransport {
  /** The ids of requests without an answer yet. */
  readonly #open = new Set<unknown>()
  #hasEnded = false

  override _onstdinclose = (): void => {
    this.#hasEnded = true
    this.#endWhenDone()
  }

  override async start(): Promise<void> {
    const receive = this.onmessage
    this.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.#open.add(message.id)
      // A request that was cancelled gets no answer.
      if ('method' in message && message.method === 'notifications/cancelled') {
        this.#open.delete((message.params as { requestId?: unknown } | undefined)?.requestId)
      }
      receive?.(message)
    }
    await super.start()
  }

  override async send(message: Message): Promise<void> {
    await super.send(message)
    if ('id' in message && !('method' in message)) this.#open.delete(message.id)
    this.#endWhenDone()
  }

  #endWhenDone(): void {
    if (this.#hasEnded && this.#open.size === 0) void this.close().catch(() => {})
  }
}
