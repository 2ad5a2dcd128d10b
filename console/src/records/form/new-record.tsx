import type { RecordType } from '@matricula/contract/record-types'
import { useState } from 'react'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { OfType } from '../of-type.tsx'
import { useRights } from '../use-record-type.ts'
import { duplicated } from './duplicate.ts'
import { blankRecord, type Values } from './field-model.ts'
import { RecordForm } from './record-form.tsx'

/** The form of a record that is not there yet, empty or with what another one has. */
export default function NewRecord({ type: slug }: { readonly type: string }) {
  return <OfType slug={slug}>{(type) => <Blank key={slug} type={type} />}</OfType>
}

function Blank({ type }: { readonly type: RecordType }) {
  const { tenant } = useSession()
  const mayDo = useRights(type)
  const [blank] = useState(() => duplicated(type.name) ?? getBlank(type, tenant.timeZone))
  return mayDo('create') ? <RecordForm type={type} stored={null} blank={blank} /> : <NoPage />
}

function getBlank(type: RecordType, timeZone: string): Values {
  const now = new Date()
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' })
  return blankRecord(type, day.format(now), time.format(now))
}
