import type { RecordType } from '@matricula/contract/record-types'
import { useCallback, useMemo } from 'react'
import type { Right } from '../calls/session-calls.ts'
import { useMessages } from '../messages/messages.tsx'
import { useSession } from '../session/session.tsx'
import type { Values } from './form/field-model.ts'
import { findCurrencyField } from './money.ts'
import type { Reader } from './shown-value.ts'

/** What the person may do with records of a type: by right, and nothing but read where another system keeps them. */
export function useRights({ name, domain }: RecordType): (right: Right) => boolean {
  const { may, ownerElsewhere } = useSession()
  const isElsewhere = ownerElsewhere(domain) !== null
  return useCallback((right) => may(name, right) && (right === 'read' || !isElsewhere), [may, name, isElsewhere])
}

/** How this person reads values of a type: amounts in the currency of the record, where one is given and names it. */
export function useReader(type?: RecordType, record?: Values): Reader {
  const { locale, named } = useMessages()
  const { tenant } = useSession()
  const field = type === undefined ? null : findCurrencyField(type)
  const currency = field === null ? tenant.currency : record === undefined ? null : record[field] || tenant.currency
  return useMemo(
    () => ({ language: locale, named, currency: currency === null ? null : String(currency) }),
    [locale, named, currency],
  )
}
