import type { RecordType } from '@matricula/contract/record-types'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallError } from '../../calls/http.ts'
import { read } from '../../calls/resource-api.ts'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { RecordForm } from '../form/record-form.tsx'
import { OfType } from '../of-type.tsx'

/** One record of any type. */
export default function RecordPage({ type: slug, name }: { readonly type: string; readonly name: string }) {
  return (
    <OfType slug={slug}>
      {(type) => <Stored key={`${slug} ${name}`} type={type} name={type.kind === 'single' ? type.name : name} />}
    </OfType>
  )
}

function Stored({ type, name }: { readonly type: RecordType; readonly name: string }) {
  const { named } = useMessages()
  const record = useQuery({ queryKey: ['record', type.name, name], queryFn: () => read(type.name, name) })
  useEffect(() => {
    document.title = named(type.name)
  }, [named, type])
  if (record.isPending) return <Waiting lines={10} />
  if (record.isError) {
    const isGone = record.error instanceof CallError && record.error.status === 404
    return <Failed error={record.error} {...(!isGone && { again: () => void record.refetch() })} />
  }
  return <RecordForm type={type} stored={record.data} />
}
