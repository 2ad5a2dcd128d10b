import type { ImportJob } from '../../calls/imports-api.ts'

/** How the status of an import is coloured. */
export const toneOf: Readonly<Record<ImportJob['status'], string>> = {
  uploaded: '',
  checking: 'wait',
  checked: '',
  importing: 'wait',
  imported: 'good',
  undoing: 'wait',
  undone: '',
  failed: 'bad',
}
