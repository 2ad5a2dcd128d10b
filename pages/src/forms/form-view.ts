import type { VisibleWhen } from '../browser/visible-when.ts'
import type { PageContext } from '../frame.ts'

export type FieldType =
  | 'text'
  | 'textarea'
  | 'number'
  | 'date'
  | 'email'
  | 'phone'
  | 'select'
  | 'multiselect'
  | 'checkbox'
  | 'file'
  | 'signature'

/** What an answer must be; a bound that is absent does not hold. Dates are `YYYY-MM-DD`. */
export interface FieldBounds {
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly minDate?: string | undefined
  readonly maxDate?: string | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly mediaTypes?: readonly string[] | undefined
  readonly maxSizeBytes?: number | undefined
}

/** One question of a form. */
export interface FieldView {
  readonly key: string
  readonly label: string
  readonly type: FieldType
  readonly isRequired: boolean
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly helpText: string
  readonly validation: FieldBounds
  /** When it is put; `{ all: [] }` is always. */
  readonly visibleWhen: VisibleWhen
  /** What a browser may fill in (HTML, autofill field names). */
  readonly autocomplete?: string | undefined
}

/** A part of a form; without a title where the form has no parts. */
export interface SectionView {
  readonly title: string
  readonly fields: readonly FieldView[]
}

/** What is wrong with an answer, by a code of the form engine. */
export interface AnswerError {
  readonly fieldKey: string
  readonly code: string
  /** What would be right: numbers, `YYYY-MM-DD`, characters, choices or bytes, as the code means it. */
  readonly bounds: {
    readonly minimum?: number | string
    readonly maximum?: number | string
    readonly allowed?: readonly string[]
  }
}

/** A public form as its visitor sees it, with what was answered so far. */
export interface FormView {
  readonly place: PageContext
  readonly institution: string
  readonly title: string
  readonly description: string
  /** First name of the student for whom it is filled in, or null. */
  readonly forWhom: string | null
  readonly sections: readonly SectionView[]
  /** What was typed and chosen, by the keys of the questions. */
  readonly answers: Readonly<Record<string, readonly string[]>>
  readonly faults: readonly AnswerError[]
  /** What is wrong with the form as a whole, in words. */
  readonly problem: string | null
  /** Marks this filling-in, so that sending it twice submits it once. */
  readonly submissionKey: string
  /** What was saved of it before, which its own link has opened; null where nothing was. */
  readonly draft: DraftView | null
  /** Whether the link was mailed just now. */
  readonly isLinkMailed: boolean
}

/** What somebody saved of a form. */
export interface DraftView {
  readonly expiresAt: string
  readonly timeZone: string
  readonly files: readonly { readonly fieldKey: string; readonly documentId: string; readonly fileName: string }[]
  readonly sendsMail: boolean
}
