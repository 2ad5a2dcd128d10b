import type { ReactNode } from 'react'
import { Waiting } from '../elements/states.tsx'
import { Failed } from '../session/failed.tsx'
import { type Session, useSession } from '../session/session.tsx'
import { NoPage } from '../shell/no-page.tsx'
import { typeAt } from '../shell/type-address.ts'
import type { ShownType } from './form/field-model.ts'
import { useShownType } from './use-shown-type.ts'

interface Props {
  readonly slug: string
  readonly children: (type: ShownType) => ReactNode
}

/** The type that an address means, among those that the person may read; null where there is none. */
export function findReadable({ rights, may }: Session, slug: string): string | null {
  return typeAt(
    slug,
    rights.map(({ type }) => type).filter((type) => may(type, 'read')),
  )
}

/** What is shown of the type that an address means, once what is declared of it is there; no page where the person may not read it. */
export function OfType({ slug, children }: Props) {
  const name = findReadable(useSession(), slug)
  const loaded = useShownType(name)
  if (name === null || loaded.data === null) return <NoPage />
  if (loaded.isError) return <Failed error={loaded.error} again={() => void loaded.refetch()} />
  return loaded.data === undefined ? <Waiting lines={8} /> : children(loaded.data)
}
