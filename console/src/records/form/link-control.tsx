import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { suggestions } from '../../calls/resource-api.ts'
import { type Choice, Combobox } from '../../elements/combobox.tsx'
import { Icon } from '../../elements/icon.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import type { ControlProps } from './control-props.ts'

const created = '\u0000new'

/** A field that names a record of another type: found by any part of what it is known by, told apart by a second line. */
export function LinkControl(props: ControlProps & { readonly target: string }) {
  const { id, field, value, onChange, target, isReadOnly = false } = props
  const { messages } = useMessages()
  const { may } = useSession()
  const stored = value === null || value === undefined ? '' : String(value)
  const [typed, setTyped] = useState(stored)
  useEffect(() => setTyped(stored), [stored])
  const [isAsked, setAsked] = useState(false)
  const asked = useDeferredValue(typed === stored ? '' : typed)
  const canFind = may(target, 'read')
  const found = useQuery({
    queryKey: ['link', target, asked],
    queryFn: ({ signal }) => suggestions(target, asked, signal),
    enabled: isAsked && canFind && !isReadOnly,
    placeholderData: keepPreviousData,
  })
  const choices: Choice[] = (found.data ?? []).map(({ value: name, description }) => ({
    value: name,
    text: name,
    about: description,
  }))
  const canCreate = field.type === 'Link' && field.createMissing === true && may(target, 'create')
  if (canCreate && typed.trim() !== '' && !choices.some((choice) => choice.value === typed.trim())) {
    choices.push({ value: created, text: messages.record.createLinked(typed.trim()) })
  }
  const choose = (choice: Choice) => {
    const name = choice.value === created ? typed.trim() : choice.value
    setTyped(name)
    onChange(name)
  }
  const leave = () => {
    if (typed === stored) return
    const exact = choices.find(({ value: name }) => name.toLowerCase() === typed.trim().toLowerCase())
    // What is typed and names nothing is left to the service, which says so at the field.
    onChange(exact?.value === created ? typed.trim() : (exact?.value ?? typed.trim()))
  }
  return (
    // Suggestions are asked for only once somebody is at the field.
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done with it but to notice the focus of the field
    <div className="linked" onFocus={() => setAsked(true)}>
      <Combobox
        id={id}
        typed={typed}
        onType={setTyped}
        choices={choices}
        onChoose={choose}
        onLeave={leave}
        nothing={found.isFetching ? messages.frame.loading : messages.record.nothingFound}
        isReadOnly={isReadOnly}
        isRequired={field.required === true}
        isInvalid={props.isInvalid === true}
        describedBy={props.describedBy}
        {...(props.label !== undefined && { label: props.label })}
      />
      {stored !== '' && typed === stored && canFind && (
        <Link
          className="button plain icon"
          to={addressOf.record(target, stored)}
          aria-label={`${messages.record.open}: ${stored}`}
        >
          <Icon of="right" />
        </Link>
      )}
    </div>
  )
}
