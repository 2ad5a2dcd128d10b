import type { Asked } from '../../calls/requests-api.ts'
import BulkProgress from '../../records/bulk-progress.tsx'
import { addressOf, go, Link } from '../../shell/router.tsx'
import { useRequestWords } from './use-request-words.ts'

interface Props {
  readonly id: string
  readonly asked: Asked
}

/** How far a job is that asks families: it goes on by itself, and its address leads back to it. */
export function AskedByJob({ id, asked }: Props) {
  const own = useRequestWords()
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
    </>
  )
}
