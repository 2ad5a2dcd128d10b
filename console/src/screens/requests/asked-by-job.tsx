import { useEffect, useState } from 'react'
import type { Asked } from '../../calls/admissions/requests-api.ts'
import BulkProgress from '../../records/list/bulk-progress.tsx'
import { useSession } from '../../session/session.tsx'
import { addressOf, go, Link } from '../../shell/router.tsx'
import { type Sending, storedUnreached, type Unreached } from './sending.ts'
import { useRequestMessages } from './use-request-messages.ts'
import { WithoutAddress } from './without-address.tsx'

interface Props {
  readonly id: string
  readonly asked: Asked
  /** Those whom it does not ask, whose links are told here. */
  readonly onLinks: (sending: Sending) => void
}

/** How far a job is that asks families: it goes on by itself, and its address leads back to it. */
export function AskedByJob({ id, asked, onLinks }: Props) {
  const own = useRequestMessages()
  const { user } = useSession()
  const [unreached, setUnreached] = useState<Unreached | null>(null)
  useEffect(() => {
    void storedUnreached(user.name, id).then(setUnreached)
  }, [user.name, id])
  return (
    <>
      <BulkProgress
        id={id}
        onRefused={(names) => go(addressOf.askPicked(asked, { names }))}
        onUndo={() => {}}
        onClose={() => go(addressOf.requests)}
      />
      <p>
        {own.byItself} <Link to={addressOf.requests}>{own.see}</Link>
      </p>
      {unreached !== null && <WithoutAddress unreached={unreached} onLinks={onLinks} />}
    </>
  )
}
