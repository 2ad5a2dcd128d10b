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

/** The services that the protocol needs. */
export interface ProtocolPlatform {
  readonly database: Database
  readonly authenticator: Authenticator
  readonly rateLimiter: RateLimiter
  readonly shares: TenantShares
  readonly addresses: TenantAddresses
  readonly passwords: PasswordHasher
  readonly storage: FileStorage
  /** Encrypts secrets of records. */
  readonly seal: SecretSeal
  /** Whether mails are sent. */
  readonly sendsMail: boolean
  /** The log of disclosures; absent where disclosures are not logged. */
  readonly disclosures?: DisclosureLog
}

/** The file store and the virus scanner; null without one. */
export interface FileStorage {
  readonly store: FileStore
  readonly scanner: VirusScanner | null
}

/** The arguments of a call by name, as sent: texts of a query or a form, or values of a JSON body. */
export type Arguments = Readonly<Record<string, unknown>>

/** The identified caller. */
export interface Identification {
  /** The tenant; null on the service's own address without a key. */
  readonly tenant: Tenant | null
  /** Null without a tenant. */
  readonly caller: Caller | null
  /** The session of the cookie, or null. */
  readonly session: LoggedIn | null
  /** The API key's credentials, or null. */
  readonly credentials: Credentials | null
  /** Whether the request sent an expired session. */
  readonly isExpired: boolean
}

/** A call of a method that is about the session itself. */
export interface SessionCall {
  readonly database: Database
  readonly passwords: PasswordHasher
  readonly sendsMail: boolean
  /** Encrypts secrets. */
  readonly seal: SecretSeal
  readonly identification: Identification
  readonly args: Arguments
  readonly requestId: string
  readonly address: string
  /** The User-Agent. */
  readonly agent: string | null
  /** The base path of the institution: empty on its own host, else `/t/` with its slug. */
  readonly root: string
  /** The home page of students and guardians, below that path; null where they have their own page only. */
  readonly personalHome: string | null
}

/** A browser's request for a page. */
export interface PageCall extends SessionCall {
  readonly request: FastifyRequest
  /** The base path of styles and scripts. */
  readonly assets: string
  readonly publicUrl: string
}

/** A page, a file of it, or a redirect to another page of the same tenant. */
export type PageResponse = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly session?: NewSession | 'guest'
  /** HttpOnly cookies for ten minutes, by name; null deletes one. */
  readonly cookies?: Readonly<Record<string, string | null>>
} & ({ readonly html: string } | { readonly bytes: Buffer } | { readonly goTo: string })

/** The handler of one page. */
export type Page = (call: PageCall, context: PageContext) => Promise<PageResponse>

/** A file as the result of a method. A type that a browser might execute is sent as an attachment. */
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

/** A file as the result of a method, streamed, and always sent as an attachment. */
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

/**
 * The result of a method with the records that it changed, for clients that cache them, and further members of the
 * response.
 */
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

/** The outcome of a call. */
export interface CallResponse {
  /** 200 unless set. */
  readonly status?: number
  /** The result; undefined or null for none. */
  readonly result?: unknown
  /** The records that the call changed, for clients that cache them. */
  readonly documents?: readonly object[]
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly messages?: readonly WorkMessage[]
  /** Debug output, where requested. */
  readonly debug?: readonly string[]
  /** The session that begins with this response, or `guest` when one ends. */
  readonly session?: NewSession | 'guest'
  /** The log-in that still needs a one-time code. */
  readonly step?: LogInStep
}
