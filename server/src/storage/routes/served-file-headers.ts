import type { Disposition } from '../file-store.ts'
import { contentDisposition } from './content-disposition.ts'

/** What a browser is told of a file that is handed out. */
export interface ServedFile {
  readonly fileName: string
  readonly mimeType: string
  readonly disposition: Disposition
}

/** Nothing in a file can run, load anything, be guessed to be of another type, be kept, or be used by another site. */
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
