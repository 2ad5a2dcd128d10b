/** A part of an entry: one transaction of a batch. Its amount is signed as that of the entry. */
export interface EntryPart {
  readonly amount: number
  readonly endToEndId: string | null
  /** What the payer refers to in a structured form, such as a creditor reference (ISO 11649). */
  readonly reference: string | null
  readonly name: string | null
  readonly iban: string | null
  readonly text: string | null
  /** Why it came back (ISO 20022 ExternalReturnReason1Code); null for what is no return. */
  readonly returnReason: string | null
}

/** A booking of the bank: what came in is positive, what went out negative. */
export interface Entry extends EntryPart {
  readonly bookedOn: string
  readonly valueOn: string | null
  readonly currency: string
  readonly bankReference: string | null
  /** The transactions of a batch; empty for a single one. */
  readonly details: readonly EntryPart[]
}

/** One statement of a file, as it is written. */
export interface Statement {
  /** IBAN, or number of the account as its country writes it. */
  readonly account: string
  readonly currency: string
  readonly number: string | null
  readonly from: string | null
  readonly to: string | null
  /** Null in formats without balances. */
  readonly openingBalance: number | null
  readonly closingBalance: number | null
  readonly entries: readonly Entry[]
  /** Where it begins and ends. */
  readonly place: Place
  readonly end: Place
}

/** A place in a file: lines and columns from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** What is wrong at a place of a file. */
export interface StatementError extends Place {
  readonly code: string
  readonly detail: string
}

/** A file that is no statement, with all that is wrong in it. */
export class RejectedStatement extends Error {
  readonly errors: readonly StatementError[]

  constructor(errors: readonly StatementError[]) {
    super(errors[0]?.detail ?? 'The file is no statement.')
    this.errors = errors
  }
}

/** At most so many errors of a file are told. */
export const maxErrors = 50

/** Throws the one thing that is wrong. */
export function refuse(place: Place, code: string, detail: string): never {
  throw new RejectedStatement([{ line: place.line, column: place.column, code, detail }])
}

/** The parts of an entry that were not told. */
export const untold = {
  endToEndId: null,
  reference: null,
  name: null,
  iban: null,
  text: null,
  returnReason: null,
} as const
