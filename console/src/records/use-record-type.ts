import type { RecordType } from '@matricula/contract/record-types'
import { useCallback, useMemo } from 'react'
import type { Right } from '../calls/session-calls.ts'
import { useSession } from '../session/session.tsx'
import { useWords } from '../words/words.tsx'
import type { Reader } from './shown-value.ts'

/** What the person may do with records of a type: by right, and nothing but read where another system keeps them. */
export function useRights({ name, domain }: RecordType): (right: Right) => boolean {
  const { may, ownerElsewhere } = useSession()
  const isElsewhere = ownerElsewhere(domain) !== null
  return useCallback((right) => may(name, right) && (right === 'read' || !isElsewhere), [may, name, isElsewhere])
}

/** How this person reads values. */
export function useReader(): Reader {
  const { language, named } = useWords()
  const { tenant } = useSession()
  return useMemo(() => ({ language, named, currency: tenant.currency }), [language, named, tenant])
}
