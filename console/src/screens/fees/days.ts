import { useMemo } from 'react'
import { useMessages } from '../../messages/messages.tsx'
import { numberLocale } from '../../records/decimal-text.ts'

/** How a day or a stamp is shown, by its date: what the service says of days is of no time zone. */
export function useDay(): (day: string) => string {
  const { language } = useMessages()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(numberLocale(language, navigator.language), {
      dateStyle: 'medium',
      timeZone: 'UTC',
    })
    return (day) => format.format(new Date(day))
  }, [language])
}
