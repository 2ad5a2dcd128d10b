import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { suggestions } from '../../calls/resource-api.ts'
import { Combobox } from '../../elements/combobox.tsx'
import { Field } from '../../elements/field.tsx'
import { useMessages } from '../../messages/messages.tsx'

/** A student who was found: the name on the Resource API, and what the student is called. */
export interface PickedStudent {
  readonly student: string
  readonly called: string
}

interface Props {
  readonly id: string
  readonly label: string
  readonly about?: string
  readonly onPick: (picked: PickedStudent) => void
}

/** Finds a student, and is empty again for the next one. */
export function StudentField({ id, label, about, onPick }: Props) {
  const { messages } = useMessages()
  const [typed, setTyped] = useState('')
  const sought = typed.trim()
  const { data = [], isFetching } = useQuery({
    queryKey: ['link', 'Student', sought],
    queryFn: ({ signal }) => suggestions('Student', sought, signal),
    enabled: sought !== '',
    placeholderData: (before) => before,
  })
  return (
    <Field id={id} label={label} about={about}>
      <Combobox
        id={id}
        typed={typed}
        onType={setTyped}
        choices={
          sought === '' ? [] : data.map(({ value, description }) => ({ value, text: value, about: description }))
        }
        onChoose={({ value, about: description = '' }) => {
          setTyped('')
          onPick({ student: value, called: description.split(', ')[0] || value })
        }}
        nothing={isFetching ? messages.frame.loading : messages.record.nothingFound}
        describedBy={about === undefined ? undefined : `${id}-about`}
      />
    </Field>
  )
}
