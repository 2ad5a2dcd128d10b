import type { components } from './generated/openapi.ts'
import type { Pages } from './pages.ts'

/** A record that is gone. */
export type DeletedRecord = components['schemas']['DeletedRecord']

/** What a list needs of its records, so that their changes can be told. */
export interface SweptRecord {
  readonly id: string
  readonly updatedAt: string
}

/** A record as it is now, or that it is gone. */
export type Change<Item> =
  | { readonly id: string; readonly record: Item; readonly deleted: null }
  | { readonly id: string; readonly record: null; readonly deleted: DeletedRecord }

/** What is there of what changed, and what is not there any more; null where nothing can have gone. */
export interface ListsSince<Item> {
  readonly present: Pages<Item>
  readonly deleted: Pages<DeletedRecord> | null
}

/**
 * What has changed since a watermark, and what was deleted: `for await (const { id, record } of changes)`. It leaves nothing out,
 * whatever is written meanwhile; what changed around the watermark comes again. Keep `watermark` once the walk is over.
 */
export class Changes<Item extends SweptRecord> implements AsyncIterable<Change<Item>> {
  readonly #lists: ListsSince<Item>

  constructor(lists: ListsSince<Item>) {
    this.#lists = lists
  }

  /** What to ask for next time, from the first change on; null before. */
  get watermark(): string | null {
    return this.#lists.present.watermark
  }

  // The list comes first: what is deleted meanwhile is in the second one, and never the other way round.
  async *[Symbol.asyncIterator](): AsyncGenerator<Change<Item>, void, undefined> {
    for await (const record of this.#lists.present) yield { id: record.id, record, deleted: null }
    if (this.#lists.deleted === null) return
    for await (const deleted of this.#lists.deleted) yield { id: deleted.id, record: null, deleted }
  }
}
