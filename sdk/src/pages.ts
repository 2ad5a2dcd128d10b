import type { Call, CallOptions, DataOf, OperationId, QueryOf } from './caller.ts'

/** The lists that are walked page by page. */
export type ListId = {
  [Id in OperationId]: DataOf<Id> extends readonly unknown[] ? ('cursor' extends keyof QueryOf<Id> ? Id : never) : never
}[OperationId]

/** A record of a list. */
export type ItemOf<Id extends ListId> = DataOf<Id> extends readonly (infer Item)[] ? Item : never

/** What a list can be asked for. */
export type FiltersOf<Id extends ListId> = Omit<QueryOf<Id>, 'page' | 'cursor'>

export interface Page<Item> {
  readonly items: readonly Item[]
  /** How many records match, in the snapshot of the first page; null where the list does not count. */
  readonly total: number | null
  /** The stamp for the next `since`, if it is the first page. */
  readonly watermark: string | null
  /** Where the next page begins; null at the end. */
  readonly cursor: string | null
}

/** A list, read while it is walked: `for await (const record of list)`. Each walk begins anew. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string) => Promise<Page<Item>>
  #watermark: string | null = null

  constructor(read: (cursor: string) => Promise<Page<Item>>) {
    this.#read = read
  }

  /** What to ask `since` for next time, from the first record on; null where the list has none. Keep it once the walk is over. */
  get watermark(): string | null {
    return this.#watermark
  }

  /** One page: the first, or that where a cursor of the page before says. */
  async page(cursor = '*'): Promise<Page<Item>> {
    const page = await this.#read(cursor)
    if (cursor === '*') this.#watermark = page.watermark
    return page
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let cursor: string | null = '*'; cursor !== null; ) {
      const page: Page<Item> = await this.page(cursor)
      yield* page.items
      cursor = page.cursor
    }
  }
}

/** The records of a list that the filters meet, a hundred at a time. `path` is for a list that belongs to a record. */
export function pagesOf<Id extends ListId>(
  call: Call,
  id: Id,
  filters: Partial<FiltersOf<Id>>,
  options: CallOptions & { readonly path?: object },
): Pages<ItemOf<Id>> {
  return new Pages(async (cursor) => {
    const input = { query: { limit: 100, ...filters, cursor }, ...options }
    const { body, headers } = await call(id, input as never)
    const { data, pagination } = body as { data: ItemOf<Id>[]; pagination?: { total?: number } }
    return {
      items: data,
      total: pagination?.total ?? null,
      watermark: headers.get('sync-watermark'),
      cursor: headers.get('next-cursor'),
    }
  })
}
