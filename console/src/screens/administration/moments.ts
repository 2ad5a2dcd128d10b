import { useMemo } from 'react'
import { useMessages } from '../../messages/messages.tsx'
import { numberLocale } from '../../records/decimal-text.ts'
import { useSession } from '../../session/session.tsx'

/** How a moment is shown: by the clock of the institution. */
export function useMoment(): (at: string) => string {
  const { language } = useMessages()
  const { tenant } = useSession()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(numberLocale(language, navigator.language), {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: tenant.timeZone,
    })
    return (at) => format.format(new Date(at))
  }, [language, tenant.timeZone])
}
