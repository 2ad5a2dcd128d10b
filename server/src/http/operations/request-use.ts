import type { FastifyReply } from 'fastify'
import type { Use } from '../../database/index.ts'

/** Cancellation: the work of a request is cancelled once its client disconnects before the response was sent. */
export class RequestUse implements Use {
  readonly #reply: FastifyReply
  #signal: AbortSignal | undefined

  constructor(reply: FastifyReply) {
    this.#reply = reply
  }

  get isUnwanted(): boolean {
    const { raw } = this.#reply
    return raw.closed && !raw.writableFinished
  }

  get signal(): AbortSignal {
    this.#signal ??= getSignal(this.#reply)
    return this.#signal
  }
}

function getSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abortIfGone = () => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.closed) abortIfGone()
  else raw.once('close', abortIfGone)
  return controller.signal
}
