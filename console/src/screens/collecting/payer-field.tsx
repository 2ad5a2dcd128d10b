import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findPayers } from '../../calls/fees/collecting-api.ts'
import { Combobox } from '../../elements/combobox.tsx'
import { useMessages } from '../../messages/messages.tsx'

interface Props {
  readonly id: string
  readonly label: string
  readonly onChoose: (accountId: string) => void
}

/** Finds a payer by parts of a name. */
export function PayerField({ id, label, onChoose }: Props) {
  const { messages } = useMessages()
  const [typed, setTyped] = useState('')
  const sought = typed.trim()
  const { data = [] } = useQuery({
    queryKey: ['payers', sought],
    queryFn: () => findPayers(sought),
    enabled: sought.length > 1,
    placeholderData: (before) => before,
  })
  return (
    <Combobox
      id={id}
      label={label}
      placeholder={label}
      typed={typed}
      onType={setTyped}
      choices={
        sought.length > 1 ? data.map((each) => ({ value: each.id, text: each.name, about: each.accountNumber })) : []
      }
      onChoose={({ value, text }) => {
        setTyped(text)
        onChoose(value)
      }}
      nothing={messages.record.nothingFound}
    />
  )
}
