import { useMessages } from '../../messages/messages.tsx'
import { importMessages } from './import-messages.ts'

/** The messages of imports in the language of the person. */
export function useImportMessages(): (typeof importMessages)['en'] {
  return importMessages[useMessages().language]
}
