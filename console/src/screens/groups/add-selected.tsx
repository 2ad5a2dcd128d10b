import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Selection } from '../../calls/bulk-jobs.ts'
import { list } from '../../calls/resource-api.ts'
import { Field } from '../../elements/field.tsx'
import { Waiting } from '../../elements/states.tsx'
import { LinkControl } from '../../records/form/link-control.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, useQueryText } from '../../shell/router.tsx'
import { useGroupMessages } from './use-group-messages.ts'

/** The number of students that are added to a group at once, at most. */
const maxPicked = 500

/** The names of those whom a list picked: as they are told, or all that meet its filters. */
async function namesOf(picked: Selection): Promise<string[]> {
  if ('names' in picked) return picked.names.slice(0, maxPicked)
  const found = await list('Student', {
    fields: ['name'],
    filters: picked.filters,
    orFilters: picked.orFilters ?? [],
    order: 'name asc',
    start: 0,
    length: maxPicked,
  })
  return found.map(({ name }) => name)
}

function parsePicked(text: string | null): Selection {
  try {
    return JSON.parse(text ?? '') as Selection
  } catch {
    return { names: [] }
  }
}

/** Chooses the group to which the students whom a list picked are added. */
export default function AddSelected() {
  const own = useGroupMessages()
  const { may } = useSession()
  const picked = new URLSearchParams(useQueryText()).get('selected')
  const mayAdd = may('Student Group', 'write') && may('Student', 'read')
  const names = useQuery({
    queryKey: ['selected', picked],
    queryFn: () => namesOf(parsePicked(picked)),
    enabled: mayAdd,
  })
  useEffect(() => {
    document.title = own.add
  }, [own])
  if (!mayAdd) return <NoPage />
  if (names.isPending) return <Waiting lines={3} />
  if (names.isError) return <Failed error={names.error} again={() => void names.refetch()} />
  return (
    <>
      <div className="page-head">
        <h1>{own.addTo(names.data.length)}</h1>
      </div>
      <section className="card section">
        <p className="quiet">{own.chooseGroup}</p>
        <Field id="selected-group" label={own.group}>
          <LinkControl
            id="selected-group"
            field={{ type: 'Link', label: own.group, target: 'Student Group' }}
            target="Student Group"
            value=""
            onChange={(value) => {
              const group = String(value ?? '')
              if (group !== '') go(`${addressOf.group(group)}?students=${encodeURIComponent(names.data.join(','))}`)
            }}
          />
        </Field>
      </section>
    </>
  )
}
