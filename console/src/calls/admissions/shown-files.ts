/** A file that somebody may look at beside its facts. */
export interface ShownFile {
  /** What names these bytes and no others. */
  readonly key: string
  readonly fileName: string
  readonly mimeType: string
  readonly sizeBytes: number
  /** Where a browser reads it. Throws `CommandError`. */
  readonly address: () => Promise<string>
}

/** Whether it is of a kind that can be shown in the page: an image that is no program, or a PDF. */
export function isShowable(mimeType: string): boolean {
  return /^image\/(?!svg)/.test(mimeType) || mimeType === 'application/pdf'
}
