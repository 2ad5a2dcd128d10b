import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { removeView, savedViews, saveView } from '../calls/console-api.ts'
import { Button } from '../elements/button.tsx'
import { Dialog } from '../elements/dialog.tsx'
import { Field } from '../elements/field.tsx'
import { Icon } from '../elements/icon.tsx'
import { Fault } from '../elements/states.tsx'
import { tellingOf } from '../session/failed.tsx'
import { useSession } from '../session/session.tsx'
import { type ListAddress, plainList, readListAddress, searchTextOf } from '../shell/list-address.ts'
import { addressOf, go } from '../shell/router.tsx'
import { useWords } from '../words/words.tsx'

interface Props {
  readonly type: string
  readonly address: ListAddress
}

/** The views of a list that somebody kept: one press shows the list as it was. */
export function SavedViews({ type, address }: Props) {
  const { words } = useWords()
  const queries = useQueryClient()
  const queryKey = ['saved-views', type]
  const views = useQuery({ queryKey, queryFn: () => savedViews(type), staleTime: 60_000 })
  if (views.data === undefined || views.data.length === 0) return null
  const now = searchTextOf({ ...address, page: 1 })
  const remove = async (id: string) => {
    await removeView(id).catch(() => {})
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <nav className="chips" aria-label={words.list.views}>
      {views.data.map(({ id, title, settings, mayChange }) => {
        const search = settings.search ?? ''
        return (
          <span key={id} className="row">
            <button
              type="button"
              className="chip"
              aria-current={search === now ? 'true' : undefined}
              onClick={() => go(addressOf.list(type, search === now ? plainList : readListAddress(search)))}
            >
              {title}
            </button>
            {search === now && mayChange && (
              <Button kind="plain" label={words.list.removeView(title)} onClick={() => void remove(id)}>
                <Icon of="trash" />
              </Button>
            )}
          </span>
        )
      })}
    </nav>
  )
}

/** Keeps what a list shows now under a name, for oneself or for everybody. */
export function SaveViewDialog({ type, address, onClose }: Props & { readonly onClose: () => void }) {
  const { words } = useWords()
  const { user } = useSession()
  const queries = useQueryClient()
  const id = useId()
  const [key] = useState(() => crypto.randomUUID())
  const [fault, setFault] = useState<string | null>(null)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const audience = typed.get('everybody') === null ? 'mine' : 'everybody'
    const settings = { search: searchTextOf({ ...address, page: 1 }) }
    try {
      await saveView(key, { list: type, title: String(typed.get('title')), audience, settings })
      await queries.invalidateQueries({ queryKey: ['saved-views', type] })
      onClose()
    } catch (error) {
      setFault(tellingOf(error, words))
    }
  }
  return (
    <Dialog title={words.list.saveView} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        {fault !== null && <Fault title={fault} />}
        <Field id={`${id}-title`} label={words.list.viewTitle}>
          <input id={`${id}-title`} className="input" name="title" required maxLength={140} />
        </Field>
        {user.roles.includes('System Manager') && (
          <label className="check">
            <input type="checkbox" name="everybody" />
            {words.list.forEverybody}
          </label>
        )}
        <Button type="submit" kind="main">
          {words.record.save}
        </Button>
      </form>
    </Dialog>
  )
}
