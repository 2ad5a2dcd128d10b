import { type Call, type CallOptions, type DataOf, type InputOf, TimeLimit } from './caller.ts'
import { Problem } from './problem.ts'
import type { SteadySender } from './steady-sender.ts'

type Intent = InputOf<'createUploadIntent'>
type Ticket = DataOf<'createUploadIntent'>

/** A file and what is known of its document. */
export interface Upload extends Omit<Intent, 'sizeBytes' | 'mimeType'> {
  readonly file: Blob | Uint8Array
  /** The type of the file; that of the Blob unless told otherwise. */
  readonly mimeType?: string
}

export interface UploadOptions extends CallOptions {
  /** Give it where the upload must go on after the process was ended: the same upload with the same key is the same document. */
  readonly idempotencyKey?: string
  /** How long sending the file may take, in milliseconds: 600 000 unless told otherwise. */
  readonly timeout?: number
}

/** Makes an upload: a document, or with `documentId` a new version of one. Answers the document when its file is stored and checked. */
export type Uploader = (upload: Upload, options?: UploadOptions) => Promise<DataOf<'completeUpload'>>

/**
 * A function that uploads files. The checksum is computed here unless it is given, for which the file is read into memory; give it with
 * a large one. A try that breaks off is made again.
 */
export function createUploader(call: Call, sender: SteadySender, fetch: typeof globalThis.fetch): Uploader {
  return async ({ file, mimeType, ...fields }, { timeout = 600_000, ...options } = {}) => {
    const blob = file instanceof Blob ? file : new Blob([file as Uint8Array<ArrayBuffer>])
    const { signal } = options
    const checksumSha256 = fields.checksumSha256 ?? (await checksumOf(blob))
    const intent: Intent = { ...fields, checksumSha256, sizeBytes: blob.size, mimeType: mimeType ?? blob.type }
    const ticket = (await call('createUploadIntent', { body: intent, ...options })).body.data
    const path = { documentId: ticket.document.id, versionId: ticket.version.id }
    const put = ({ upload }: Ticket) =>
      sender.send(() => putFile(fetch, upload, blob, timeout), { isRepeatable: true, signal })
    try {
      await put(ticket)
    } catch (error) {
      if (!(error instanceof Problem) || signal?.aborted) throw error
      const renewed = await renew(call, path, options)
      if (renewed !== null) await put(renewed)
    }
    return (await call('completeUpload', { path, body: { checksumSha256 }, ...options })).body.data
  }
}

/** Another address for a file whose own has expired; null where the file does not wait any more, of which `completeUpload` tells. */
async function renew(
  call: Call,
  path: { documentId: string; versionId: string },
  options: CallOptions,
): Promise<Ticket | null> {
  try {
    return (await call('renewUploadUrl', { path, ...options, isRepeatable: true })).body.data
  } catch (error) {
    if (error instanceof Problem && error.code === 'state_conflict') return null
    throw error
  }
}

/** The address is signed, and may be another service's: the token does not go there. */
async function putFile(
  fetch: typeof globalThis.fetch,
  { url, headers }: Ticket['upload'],
  file: Blob,
  timeout: number,
): Promise<void> {
  const limit = new TimeLimit(timeout, undefined)
  try {
    const response = await fetch(url, { method: 'PUT', headers, body: file, signal: limit.signal })
    const text = await response.text()
    if (!response.ok) throw new Problem(response.status, response.headers, problemIn(text))
  } catch (error) {
    throw error instanceof Problem ? error : limit.explain(error, new URL(url).origin)
  } finally {
    limit.clear()
  }
}

function problemIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function checksumOf(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
