import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type FamilyHit, findFamilies } from '../../calls/fees/billing-api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, go } from '../../shell/router.tsx'
import { useFeeMessages } from './use-fee-messages.ts'

const open = ({ of, id }: FamilyHit) => go(addressOf.familyAtDesk(of, id))

/** Finds a family while somebody types. Enter takes the first one, also where it is pressed before the answer is there. */
export function FamilySearch() {
  const own = useFeeMessages()
  const { messages } = useMessages()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [isAwaited, setAwaited] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const sought = typed.trim()
  const { data, error } = useQuery({
    queryKey: ['families', sought],
    queryFn: ({ signal }) => findFamilies(sought, signal),
    enabled: sought.length > 1,
  })
  const hits = sought.length > 1 ? (data ?? []) : []
  const active = Math.min(at, hits.length - 1)
  const first = hits[0]
  useEffect(() => {
    if (!isAwaited || data === undefined) return
    setAwaited(false)
    if (first !== undefined) open(first)
  }, [isAwaited, data, first])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && hits.length > 0) setAt((active + step + hits.length) % hits.length)
    else if (event.key === 'Enter' && hits[active] !== undefined) open(hits[active])
    else if (event.key === 'Enter' && sought.length > 1 && data === undefined) setAwaited(true)
    else return
    event.preventDefault()
  }
  return (
    <section className="card section families">
      <label htmlFor="family" className="label">
        {own.find}
      </label>
      <input
        id="family"
        ref={field}
        className="input"
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls="families"
        aria-activedescendant={active < 0 ? undefined : `family-${active}`}
        aria-autocomplete="list"
        aria-describedby="family-about"
        autoComplete="off"
        spellCheck={false}
        placeholder={own.findHint}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
          setAwaited(false)
        }}
        onKeyDown={onKeyDown}
      />
      <p id="family-about" className="quiet small">
        {own.findAbout}
      </p>
      <p role="status" className={hits.length > 0 ? 'unseen' : 'quiet'}>
        {sought.length < 2
          ? ''
          : error !== null
            ? getErrorText(error, messages)
            : data === undefined
              ? own.searching
              : hits.length === 0
                ? own.nobody
                : own.hits(hits.length)}
      </p>
      <div className="options" id="families" role="listbox" aria-label={own.find} tabIndex={-1}>
        {hits.map((hit, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant of the field
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={hit.id}
            id={`family-${index}`}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => open(hit)}
          >
            {hit.name}
            <span className="quiet">
              {own.of[hit.of]} · {hit.detail}
            </span>
          </div>
        ))}
      </div>
    </section>
  )
}
