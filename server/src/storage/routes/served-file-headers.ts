import type { Disposition } from '../file-store.ts'
import { contentDisposition } from './content-disposition.ts'

/** The response properties of a file. */
export interface ServedFile {
  readonly fileName: string
  readonly mimeType: string
  readonly disposition: Disposition
}

/** Headers of a served file: no scripts, no sniffing, no caching, no use by other sites. */
export function servedFileHeaders({ mimeType, disposition, fileName }: ServedFile) {
  return {
    'content-type': mimeType,
    'content-disposition': contentDisposition(disposition, fileName),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  }
}
