import { type RecordErrorType, recordErrors } from '@matricula/contract'

/** What a refusal may say beside its text. */
export interface RecordErrorOptions {
  /** The heading of the message in a client's dialogue; `Message` unless given. */
  readonly title?: string
  /** The colour that a client shows it in; `red` unless given. */
  readonly indicator?: 'red' | 'orange' | 'yellow' | 'blue' | 'green'
  /** Headers of the answer, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further messages of the same refusal, such as one for each field that is missing. */
  readonly messages?: readonly string[]
  /** Whether a 404 carries what clients raise an error by (`exc`), too. Without it they take it for "there is none". */
  readonly isToldByAll?: boolean
  /** What programs tell such refusals apart by where the class says too little, with what it is told of: members of the answer. */
  readonly facts?: Readonly<Record<string, string | null>>
}

/**
 * A refusal of the Resource and Method API: an error class of the contract's table and a text for people, which says
 * what to do next. Thrown wherever the rule is, sent by the protocol; everything that was written is undone.
 */
export class RecordError extends Error {
  readonly type: RecordErrorType
  readonly status: number
  readonly title: string
  readonly indicator: string
  readonly headers: Readonly<Record<string, string>>
  readonly messages: readonly string[]
  readonly isToldByAll: boolean
  readonly facts: Readonly<Record<string, string | null>>

  constructor(type: RecordErrorType, message: string, options: RecordErrorOptions = {}) {
    super(message)
    this.type = type
    this.status = recordErrors[type]
    this.title = options.title ?? 'Message'
    this.indicator = options.indicator ?? 'red'
    this.headers = options.headers ?? {}
    this.messages = options.messages ?? [message]
    this.isToldByAll = options.isToldByAll ?? this.status !== 404
    this.facts = options.facts ?? {}
  }
}
