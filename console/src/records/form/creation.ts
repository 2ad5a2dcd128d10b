import type { RecordType } from '@matricula/contract/record-types'
import { CallError } from '../../calls/http.ts'
import { create, type Document, update } from '../../calls/resource-api.ts'
import { getChanges, getNewRecord, type Values } from './field-model.ts'

/** What was asked to be made and not answered: it may have been made. */
export interface Unanswered {
  readonly key: string
  readonly values: Values
}

/**
 * Makes a record once, whatever becomes of the answers: what was not answered is asked for again as it was, by the same key, and is
 * changed afterwards where something else was typed since.
 */
export class Creation {
  readonly #type: RecordType
  readonly #key: string
  /** What may have been made; null where nothing was. */
  #tried: Values | null
  #made: Document | null = null

  constructor(type: RecordType, unanswered: Unanswered | null = null) {
    this.#type = type
    this.#key = unanswered?.key ?? crypto.randomUUID()
    this.#tried = unanswered?.values ?? null
  }

  /** What may have been made without an answer, or null. */
  get unanswered(): Unanswered | null {
    return this.#tried === null || this.#made !== null ? null : { key: this.#key, values: this.#tried }
  }

  /** The record, once it is there, also where its change was refused afterwards. */
  get made(): Document | null {
    return this.#made
  }

  /** Makes the record, or changes the one that was made. Throws `CommandError`. */
  async make(mine: Values): Promise<Document> {
    if (this.#made === null) await this.#create(mine)
    const made = this.#made as unknown as Document
    const since = getChanges(this.#type, this.#tried ?? mine, mine)
    if (Object.keys(since).length === 0) return made
    return update(this.#type.name, made.name, { ...since, modified: made.modified })
  }

  async #create(mine: Values): Promise<void> {
    const mayBeThere = this.#tried !== null
    this.#tried ??= mine
    try {
      this.#made = await create(this.#type.name, getNewRecord(this.#type, this.#tried), this.#key)
    } catch (error) {
      // What was refused at its first try was not made; what an earlier try made cannot be told from a refusal of this one.
      if (
        !mayBeThere &&
        error instanceof CallError &&
        error.status >= 400 &&
        error.status < 500 &&
        error.status !== 408
      ) {
        this.#tried = null
      }
      throw error
    }
  }
}
