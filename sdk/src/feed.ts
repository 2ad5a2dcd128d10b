import type { BodyOf, Call, CallOptions } from './caller.ts'
import type { EventType } from './generated/declarations.ts'
import type { components } from './generated/openapi.ts'

/** Something that happened to a record. */
export type Event = components['schemas']['Event']

export interface FeedOptions extends CallOptions {
  /** Only events after this position; from the oldest that is kept unless told otherwise. `latest`: only what happens from now on. */
  readonly after?: string | null
  /** Only these, such as `payment.created` or `payment.*`; at most 50. All that the token may read unless told otherwise. */
  readonly types?: readonly (EventType | `${string}.*`)[]
}

/** What happened, oldest first: `for await (const event of feed)`. */
export class EventFeed implements AsyncIterable<Event> {
  readonly #call: Call
  readonly #options: FeedOptions
  readonly #wait: number
  #position: string | null

  /** @param wait seconds that an event is waited for; with 0 the walk ends where there is no more, else when its signal says so. */
  constructor(call: Call, options: FeedOptions, wait: number) {
    this.#call = call
    this.#options = options
    this.#wait = wait
    this.#position = options.after ?? null
  }

  /**
   * The position of the event that was handed out last, or of what was passed over since. Keep it once that event is handled, and give it
   * as `after` next time: then every event is seen, and none twice but the one that was being handled.
   */
  get position(): string | null {
    return this.#position
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    for (;;) {
      const response = await this.#read()
      if (response === null) return
      for (const event of response.data) {
        this.#position = event.position
        yield event
      }
      this.#position = response.next
      if (!response.hasMore && this.#wait === 0) return
    }
  }

  /** What comes next; null where the walk is stopped. */
  async #read(): Promise<BodyOf<'listEvents'> | null> {
    const { types, signal } = this.#options
    const query = {
      limit: 1000,
      wait: this.#wait,
      ...(this.#position !== null && { after: this.#position }),
      ...(types !== undefined && { types: types.join(',') }),
    }
    try {
      return (await this.#call('listEvents', { query, ...(signal && { signal }) })).body
    } catch (error) {
      if (signal?.aborted && this.#wait > 0) return null
      throw error
    }
  }
}
