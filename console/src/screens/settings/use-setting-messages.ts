import { useMessages } from '../../messages/messages.tsx'
import { settingMessages } from './setting-messages.ts'

/** The messages of the settings in the language of the person. */
export function useSettingMessages(): (typeof settingMessages)['en'] {
  return settingMessages[useMessages().language]
}
