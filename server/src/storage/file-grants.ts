/** What an upload address is bound to. */
export interface UploadGrant {
  readonly key: string
  readonly sizeBytes: number
  /** Type and subtype in lower case, without parameters. */
  readonly mimeType: string
  /** 64 lower-case hexadecimal digits, or null when it was not announced. */
  readonly checksumSha256: string | null
  readonly expiresAt: Date
}

/** What a download address is bound to. */
export interface DownloadGrant {
  readonly key: string
  /** The name that the reader's program suggests; any text. */
  readonly fileName: string
  readonly mimeType: string
  readonly disposition: Disposition
  readonly expiresAt: Date
}

export type Disposition = 'inline' | 'attachment'
