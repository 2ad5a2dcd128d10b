/** What a reader may say that the console puts into words. */
export type ValidationError = 'password' | 'damaged'

/** Told once to the reader's window, with the port over which all else is told: what to show, and how its pages are called. */
export interface Handover {
  readonly bytes: ArrayBuffer
  /** In degrees, clockwise: 0, 90, 180 or 270. */
  readonly turned: number
  readonly language: string
  /** The name of a page, with `{page}` and `{pages}` in it. */
  readonly page: string
  /** What stands in the place of a page that cannot be drawn. */
  readonly unreadable: string
}

/** What the console tells a reader. */
export type ToReader =
  | { readonly kind: 'turn'; readonly turned: number }
  /** A file that the reader asked for; null where there is none. */
  | { readonly kind: 'file'; readonly name: string; readonly bytes: ArrayBuffer | null }

/** What a reader tells the console, which believes none of it: whoever wrote the paper may have written this too. */
export type FromReader =
  | { readonly kind: 'opened'; readonly pages: number; readonly shown: number }
  /** The height of all pages in CSS pixels, at the width that the reader has. */
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'fault'; readonly fault: ValidationError }
  /** A decoder, a font or a table of characters that this paper needs and few others do. */
  | { readonly kind: 'ask'; readonly name: string }
