import type { Readable } from 'node:stream'
import type { DownloadGrant, UploadGrant } from './file-grants.ts'
import type { SignedGrants } from './signed-grants.ts'

export type { Disposition, DownloadGrant, UploadGrant } from './file-grants.ts'

/** An upload may still be replaced; a frozen file never is. */
export type FileState = 'upload' | 'frozen'

/** A request that whoever holds it may send, without a token. */
export interface SignedUpload {
  readonly method: 'PUT'
  readonly url: string
  /** Headers to send as they are. Content-Length is the size that was signed. */
  readonly headers: Readonly<Record<string, string>>
}

/** What bytes on their way into the store must be. */
export interface ExpectedBytes {
  readonly maxBytes: number
  readonly sizeBytes?: number
  readonly checksumSha256?: string | null
}

/** What bytes were, once all of them were stored. */
export interface StoredBytes {
  readonly sizeBytes: number
  readonly checksumSha256: string
}

/** A part of a file: the places of its first and its last byte, from 0, both within it. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** Which files are meant: those of one tenant, those stored before a moment, or without either all of them. */
export interface FileFilter {
  readonly tenantId?: string
  readonly before?: Date
}

/**
 * The files of the document vault, kept by key (see `fileKey`). A key has two places: its upload, which may come
 * again and replace itself, and its frozen file, whose content is set once, by `freeze`, and only ever read or
 * removed. Nothing is visible half-written, and what was acknowledged survives a crash.
 */
export interface FileStore {
  /** Opens the tokens in addresses that the service answers; null where the storage answers its own. */
  readonly grants: SignedGrants | null

  /** An address that takes exactly these bytes as the upload of the key, until it expires. */
  signUpload(grant: UploadGrant): Promise<SignedUpload>

  /** An address that hands out the frozen file of the key until it expires; ranges of it too (RFC 9110 §14). */
  signDownload(grant: DownloadGrant): Promise<string>

  /**
   * Stores bytes that come through the service itself as the upload of the key. Holds a few megabytes in memory at
   * most, never the file.
   * @throws Problem `content_too_large`, `file_rejected` when the bytes are not as expected, `state_conflict` when
   * the key is frozen. Nothing is stored then, nor when the source breaks.
   */
  write(key: string, bytes: AsyncIterable<Uint8Array>, expected: ExpectedBytes): Promise<StoredBytes>

  /** The size of what is stored, or null when nothing is. */
  stat(state: FileState, key: string): Promise<{ sizeBytes: number } | null>

  /** The stored bytes, or a part of them, as a stream to be read or destroyed; null when nothing is stored. */
  open(state: FileState, key: string, range?: ByteRange): Promise<Readable | null>

  /**
   * Makes the upload of a key its frozen file, durably. An upload can be replaced until this very moment, so what is
   * to be trusted is inspected afterwards, in the frozen file. Repeating it after a crash is safe.
   */
  freeze(key: string): Promise<'frozen' | 'already_frozen' | 'missing'>

  /**
   * Puts other bytes in the place of a frozen file at once, for the same content in another form; whoever reads it
   * reads on. False when there is none any more. A removal at the very same time may be undone by it, so that whoever
   * calls it looks afterwards whether the file is wanted.
   */
  replace(key: string, bytes: AsyncIterable<Uint8Array>): Promise<boolean>

  /** Removes an upload or a frozen file. Harmless when there is none. */
  remove(state: FileState, key: string): Promise<void>

  /** The keys of uploads or of frozen files, in no order. */
  list(state: FileState, filter?: FileFilter): AsyncIterable<string>

  /** Removes what broken writes left behind before a moment, which no key shows. Gives how many. */
  removeUnfinished(filter: FileFilter & { readonly before: Date }): Promise<number>

  /** The id of the installation that the files belong to; null where none has claimed them. */
  readOwner(): Promise<string | null>

  /**
   * Notes beside the files to which installation they belong.
   *
   * @param replaces Whether an owner that is there already is replaced; else it stays
   */
  writeOwner(installationId: string, options: { readonly replaces: boolean }): Promise<void>

  /** Throws `FileStoreUnavailable` when files cannot be kept here. */
  check(): Promise<void>

  /** Ends the connections of the store. */
  close(): Promise<void>
}

/** The store cannot be used just now. The message is for the operator: what is wrong and where. */
export class FileStoreUnavailable extends Error {
  /** What whoever sent or wants a file is told. */
  readonly advice =
    'Files cannot be kept or read just now. Nothing was stored; try again when the operator has mended it.'
  readonly retryAfterSeconds = 60
}
