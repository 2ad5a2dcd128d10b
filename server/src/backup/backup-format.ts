import { CommandError } from '../errors/index.ts'

/**
 * The file of a backup; docs/backup-format.md describes it for other programs. It begins with these bytes, in which
 * the version of the format stands. Frames follow: a letter that says what it is, the length of the content in four
 * bytes (big-endian), the content.
 */
export const magic = Buffer.from('matricula backup 1\n')

/**
 * What a frame is: header, beginning of a section, data, end of a section, trailer, and the SHA-256 of everything
 * before it.
 */
export const frameTypes = { header: 'h', section: 's', data: 'd', end: 'e', trailer: 't', seal: 'z' } as const
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

export interface Frame {
  readonly type: FrameType
  readonly content: Buffer
}

/** The letter and the length. */
export const frameHeadBytes = 5

/** No frame has a longer content: a reader holds one at a time. */
export const maxFrameBytes = 16 * 1024 * 1024

/** Of what a backup is, and what it needs to be restored. */
export interface BackupHeader {
  /** When the snapshot was taken (RFC 3339). */
  readonly createdAt: string
  /** The version of the program that made it. */
  readonly madeBy: string
  /** The id of the installation that made it; null where its database was none yet, absent before 1.1. */
  readonly installation?: string | null
  readonly serverVersion: string
  /** The institution whose backup it is; null: all of them, and what belongs to none. */
  readonly tenant: BackedUpTenant | null
  readonly tenants: number
  readonly migrations: readonly KnownMigration[]
  /** Tells by which SECRET_KEY secrets in it are sealed, and nothing of that key. */
  readonly secretKeyId: string
  /** The key itself, where the operator asked for it. */
  readonly secretKey: string | null
  /** The last number that each sequence had given out; null: none yet. */
  readonly sequences: Readonly<Record<string, string | null>>
  /** Whether the files of documents are in it. */
  readonly hasFiles: boolean
}

export interface BackedUpTenant {
  readonly id: string
  readonly slug: string
  readonly name: string
}

export interface KnownMigration {
  readonly name: string
  readonly checksum: string
}

/**
 * The rows of a table, in the text form of COPY and compressed by gzip (RFC 1952), or the bytes of a file as they
 * are.
 */
export type SectionHead =
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly string[] }
  | { readonly kind: 'file'; readonly state: 'frozen' | 'upload'; readonly key: string }

/** What the content of a section was. */
export interface SectionEnd {
  readonly bytes: number
  readonly sha256: string
  /** Of a table: how many rows, and the sum of their hashes (`RowDigest`). */
  readonly rows?: number
  readonly digest?: string
}

/** What the whole backup was. */
export interface BackupTrailer {
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly fileBytes: number
  /** Files that rows name and that were not there when they were read, or damaged: how many, and the keys of some. */
  readonly missingFiles: { readonly count: number; readonly keys: readonly string[] }
}

/** The file is not a usable backup. The message says why. */
export class BackupFileError extends CommandError {
  constructor(message: string) {
    super('invalid_file', message)
  }
}

export function jsonFrame(type: FrameType, content: object): Frame {
  return { type, content: Buffer.from(JSON.stringify(content)) }
}
