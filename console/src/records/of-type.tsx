import type { ReactNode } from 'react'
import { Waiting } from '../elements/states.tsx'
import { Failed } from '../session/failed.tsx'
import { useSession } from '../session/session.tsx'
import { NoPage } from '../shell/no-page.tsx'
import { typeAt } from '../shell/type-address.ts'
import type { ShownType } from './form/field-model.ts'
import { useShownType } from './use-shown-type.ts'

interface Props {
  readonly slug: string
  readonly children: (type: ShownType) => ReactNode
}

/** What is shown of the type that an address means, once what is declared of it is there; no page where the person may not read it. */
export function OfType({ slug, children }: Props) {
  const { rights, may } = useSession()
  const readable = rights.map(({ type }) => type).filter((type) => may(type, 'read'))
  const name = typeAt(slug, readable)
  const loaded = useShownType(name)
  if (name === null || loaded.data === null) return <NoPage />
  if (loaded.isError) return <Failed error={loaded.error} again={() => void loaded.refetch()} />
  return loaded.data === undefined ? <Waiting lines={8} /> : children(loaded.data)
}
