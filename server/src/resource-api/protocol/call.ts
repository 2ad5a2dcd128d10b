import type { Readable } from 'node:stream'
import type { PageContext } from '@matricula/pages'
import type { FastifyRequest } from 'fastify'
import type { DisclosureLog } from '../../changes/index.ts'
import type { RateLimiter } from '../../concurrency/index.ts'
import type { Database } from '../../database/index.ts'
import type { Chunks, TenantShares } from '../../http/index.ts'
import type { Authenticator, SecretSeal } from '../../identity/index.ts'
import type { LoggedIn, LogInStep, NewSession, PasswordHasher } from '../../identity/users/index.ts'
import type { Caller, WorkMessage } from '../../record-engine/index.ts'
import type { FileStore, VirusScanner } from '../../storage/index.ts'
import type { Credentials, Tenant, TenantAddresses } from '../../tenancy/index.ts'

/** What the protocol needs of the service. */
export interface ProtocolPlatform {
  readonly database: Database
  readonly authenticator: Authenticator
  readonly rateLimiter: RateLimiter
  readonly shares: TenantShares
  readonly addresses: TenantAddresses
  readonly passwords: PasswordHasher
  readonly storage: FileStorage
  /** What secrets of records are kept with. */
  readonly seal: SecretSeal
  /** Whether mails are sent. */
  readonly sendsMail: boolean
  /** Where it is recorded who read what; nothing is recorded where it is absent. */
  readonly disclosures?: DisclosureLog
}

/** Where files are kept, and what looks for viruses in them; null where nothing does. */
export interface FileStorage {
  readonly store: FileStore
  readonly scanner: VirusScanner | null
}

/** The arguments of a call by name, as they came: texts of a query or a form, or values of a JSON body. */
export type Arguments = Readonly<Record<string, unknown>>

/** Who calls, and by what. */
export interface Identification {
  /** Whose records the call is about; null on the service's own address without a key. */
  readonly tenant: Tenant | null
  /** Null when there is no tenant whose guest somebody could be. */
  readonly caller: Caller | null
  /** The session of the cookie, or null. */
  readonly session: LoggedIn | null
  /** What the key opened, or null. */
  readonly credentials: Credentials | null
  /** Whether the request named a session that is over. */
  readonly isExpired: boolean
}

/** A call of a method that is about the session itself. */
export interface SessionCall {
  readonly database: Database
  readonly passwords: PasswordHasher
  readonly sendsMail: boolean
  /** What secrets are kept with. */
  readonly seal: SecretSeal
  readonly identification: Identification
  readonly args: Arguments
  readonly requestId: string
  readonly address: string
  /** What the browser says that it is. */
  readonly agent: string | null
  /** The address of the institution, from the root: empty on its own host, else `/t/` with its slug. */
  readonly root: string
  /** Where students and guardians begin, below that address; null where they have their own page alone. */
  readonly personalHome: string | null
}

/** A call of a page by somebody with a browser. */
export interface PageCall extends SessionCall {
  readonly request: FastifyRequest
  /** The folder of style and scripts from the root. */
  readonly assets: string
  readonly publicUrl: string
}

/** A page, a file of it, or another page of the same tenant to go on to. */
export type PageResponse = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly session?: NewSession | 'guest'
  /** What the browser keeps for ten minutes, hidden from scripts, by name; null for what it forgets. */
  readonly cookies?: Readonly<Record<string, string | null>>
} & ({ readonly html: string } | { readonly bytes: Buffer } | { readonly goTo: string })

/** Answers a call of one page. */
export type Page = (call: PageCall, context: PageContext) => Promise<PageResponse>

/** A file as the result of a method. A type that a browser might run is handed out as an attachment. */
export class RecordFile {
  readonly fileName: string
  readonly mediaType: string
  readonly content: Buffer | Readable
  readonly sizeBytes: number

  constructor(fileName: string, mediaType: string, content: Buffer | { bytes: Readable; sizeBytes: number }) {
    this.fileName = fileName
    this.mediaType = mediaType
    this.content = Buffer.isBuffer(content) ? content : content.bytes
    this.sizeBytes = Buffer.isBuffer(content) ? content.length : content.sizeBytes
  }
}

/** A file as the result of a method that is made while it is sent, and always saved, never shown. */
export class StreamedFile {
  readonly fileName: string
  readonly mediaType: string
  readonly chunks: Chunks

  constructor(fileName: string, mediaType: string, chunks: Chunks) {
    this.fileName = fileName
    this.mediaType = mediaType
    this.chunks = chunks
  }
}

/** The result of a method with the records that it worked on, for clients that keep them, and further members of the answer. */
export class CallResult {
  readonly result: unknown
  readonly documents: readonly object[]
  readonly members: Readonly<Record<string, unknown>>

  constructor(result: unknown, documents: readonly object[], members: Readonly<Record<string, unknown>> = {}) {
    this.result = result
    this.documents = documents
    this.members = members
  }
}

/** What a call comes to. */
export interface CallResponse {
  /** 200 unless said otherwise. */
  readonly status?: number
  /** What the method or the address gives; undefined or null for nothing. */
  readonly result?: unknown
  /** The records that the call worked on, for clients that keep them. */
  readonly documents?: readonly object[]
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly messages?: readonly WorkMessage[]
  /** What somebody who asked for it is told of how the work went. */
  readonly debug?: readonly string[]
  /** The session that begins with this answer, or `guest` when one ends with it. */
  readonly session?: NewSession | 'guest'
  /** The log-in of whom a code is still asked. */
  readonly step?: LogInStep
}
