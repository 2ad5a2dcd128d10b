import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { find } from '../calls/console-api.ts'
import { Dialog } from '../elements/dialog.tsx'
import { useMessages } from '../messages/messages.tsx'
import { useSession } from '../session/session.tsx'
import type { NavigationGroup } from './places.ts'
import { plain } from './plain-text.ts'
import { addressOf, go } from './router.tsx'

interface Entry {
  readonly id: string
  readonly text: string
  readonly about?: string
  /** What it is found by beside its text. */
  readonly also?: string
  readonly act: () => void
}

interface Props {
  readonly groups: readonly NavigationGroup[]
  /** Gives what was typed before this was there. */
  readonly takeTyped: () => string
  readonly onClose: () => void
}

/** Goes anywhere and makes anything by a few letters of its name, accents or not. */
export default function Palette({ groups, takeTyped, onClose }: Props) {
  const { messages, named, namedMany } = useMessages()
  const { may, has } = useSession()
  /** The screen that shows what was found; null for whoever has none for it. */
  const addressOfHit = (type: string | null, name: string | null, id: string): string | null => {
    if (type === null || name === null) return null
    if (type === 'Student Applicant' && has('admissions:read')) return addressOf.application(id)
    if (type === 'Student' && has('students:read')) return addressOf.profile(name)
    if (!may(type, 'read')) return null
    return type === 'Student' ? addressOf.profile(name) : addressOf.record(type, name)
  }
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  // The field has the focus by now: what comes after is typed into it.
  useEffect(() => {
    const early = takeTyped()
    if (early !== '') setTyped((typed) => early + typed)
  }, [takeTyped])
  const entries = useMemo(() => {
    const types = groups.flatMap((group) => group.types)
    const screens: Entry[] = groups
      .flatMap((group) => group.screens)
      .map((name) => ({ id: `screen ${name}`, text: messages.screens[name], act: () => go(addressOf[name]) }))
    const all: Entry[] = types.map((type) => ({
      id: `go ${type}`,
      text: named(type),
      also: namedMany(type),
      act: () => go(addressOf.list(type)),
    }))
    for (const type of types.filter((each) => may(each, 'create'))) {
      const act = () => go(addressOf.newRecord(type))
      all.push({ id: `new ${type}`, text: messages.palette.newOf(named(type)), act })
    }
    return [...screens, ...all]
  }, [groups, may, named, namedMany, messages])
  const parts = plain(typed).split(' ').filter(Boolean)
  const asked = useDeferredValue(typed.trim())
  const hits = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => find(asked, signal),
    enabled: asked.length > 1,
    placeholderData: keepPreviousData,
  })
  const people = (asked.length > 1 ? (hits.data ?? []) : []).flatMap(({ id, type, name, title, detail }): Entry[] => {
    const address = addressOfHit(type, name, id)
    if (type === null || address === null) return []
    return [{ id, text: title, about: `${named(type)} · ${detail}`, act: () => go(address) }]
  })
  const locations = entries
    .filter(({ text, also = '' }) => parts.every((part) => plain(`${text} ${also}`).includes(part)))
    .slice(0, 8)
  const found = parts.length === 0 ? locations : [...locations.slice(0, 3), ...people, ...locations.slice(3)]
  const active = Math.min(at, found.length - 1)
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found.length > 0) setAt((active + step + found.length) % found.length)
    else if (event.key === 'Enter') choose(found[active])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={messages.palette.label} onClose={onClose} className="palette" hidesTitle>
      <input
        className="input"
        role="combobox"
        aria-label={messages.palette.label}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={active < 0 ? undefined : `palette-${active}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={messages.palette.hint}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className="options" id="palette-list" role="listbox" aria-label={messages.palette.label} tabIndex={-1}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant of the field
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(entry)}
          >
            {entry.text}
            {entry.about !== undefined && <span className="quiet">{entry.about}</span>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="kind">{messages.palette.none}</p>}
    </Dialog>
  )
}
