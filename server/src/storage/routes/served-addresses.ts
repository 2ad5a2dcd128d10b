import { requireFileKey } from '../file-key.ts'
import type { DownloadGrant, SignedUpload, UploadGrant } from '../file-store.ts'
import { requireMediaType } from '../inspection/media-type.ts'
import { SignedGrants } from '../signed-grants.ts'
import { allowedDisposition } from './content-disposition.ts'

/** Below it are the signed addresses, apart from those of files that have a name. */
export const signedPath = '/files/signed/'

/** Signed addresses that the service itself answers (`addFileRoutes`). */
export class ServedAddresses {
  /** Opens the tokens in them. */
  readonly grants: SignedGrants
  readonly #publicUrl: string

  constructor({ secretKey, publicUrl }: { readonly secretKey: string; readonly publicUrl: string }) {
    this.grants = new SignedGrants(secretKey)
    this.#publicUrl = publicUrl
  }

  async signUpload(grant: UploadGrant): Promise<SignedUpload> {
    requireFileKey(grant.key)
    requireMediaType(grant.mimeType)
    const url = `${this.#publicUrl}${signedPath}${this.grants.seal('upload', grant)}`
    return { method: 'PUT', url, headers: { 'content-type': grant.mimeType } }
  }

  async signDownload(grant: DownloadGrant): Promise<string> {
    requireFileKey(grant.key)
    requireMediaType(grant.mimeType)
    const disposition = allowedDisposition(grant.disposition, grant.mimeType)
    return `${this.#publicUrl}${signedPath}${this.grants.seal('download', { ...grant, disposition })}`
  }
}
