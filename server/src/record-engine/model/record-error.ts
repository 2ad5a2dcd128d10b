import { type RecordErrorType, recordErrors } from '@matricula/contract'

/** Optional parts of an error. */
export interface RecordErrorOptions {
  /** The heading of the message in a client's dialogue; `Message` unless given. */
  readonly title?: string
  /** The colour that a client shows it in; `red` unless given. */
  readonly indicator?: 'red' | 'orange' | 'yellow' | 'blue' | 'green'
  /** Headers of the response, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The messages of the error where it has several, such as one per missing field. */
  readonly messages?: readonly string[]
  /**
   * Whether the response has `exc`, by which clients raise an error; false for a 404 unless set. Without it they take a
   * 404 for "no such record".
   */
  readonly includesException?: boolean
  /** Further members of the response, by which programs distinguish errors of the same class. */
  readonly facts?: Readonly<Record<string, string | null>>
}

/**
 * An error of the Resource and Method API: a class of the contract's table, and a text for people that says what to do.
 * Thrown by rules, sent by the protocol; rolls the transaction back.
 */
export class RecordError extends Error {
  readonly type: RecordErrorType
  readonly status: number
  readonly title: string
  readonly indicator: string
  readonly headers: Readonly<Record<string, string>>
  readonly messages: readonly string[]
  readonly includesException: boolean
  readonly facts: Readonly<Record<string, string | null>>

  constructor(type: RecordErrorType, message: string, options: RecordErrorOptions = {}) {
    super(message)
    this.type = type
    this.status = recordErrors[type]
    this.title = options.title ?? 'Message'
    this.indicator = options.indicator ?? 'red'
    this.headers = options.headers ?? {}
    this.messages = options.messages ?? [message]
    this.includesException = options.includesException ?? this.status !== 404
    this.facts = options.facts ?? {}
  }
}
