import { useState } from 'react'
import { Dialog } from '../elements/dialog.tsx'
import { useMessages } from '../messages/messages.tsx'
import { singleKeys } from './keys.ts'

const keys = [
  ['palette', 'Ctrl K'],
  ['save', 'Ctrl S'],
  ['search', '/'],
  ['down', 'j'],
  ['up', 'k'],
  ['pick', 'x'],
  ['open', 'o'],
  ['create', 'c'],
  ['help', '?'],
] as const

/** The keys of the console, and the switch for those that are a single one. */
export default function KeyList({ onClose }: { readonly onClose: () => void }) {
  const { messages } = useMessages()
  const [areOn, setOn] = useState(singleKeys.areOn)
  return (
    <Dialog title={messages.frame.keys} onClose={onClose}>
      <dl className="keys stack">
        {keys.map(([name, key]) => (
          <div key={name} className="row">
            <dt>{messages.keys[name]}</dt>
            <dd>
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={areOn}
          onChange={({ target }) => {
            singleKeys.switch(target.checked)
            setOn(target.checked)
          }}
        />
        {messages.frame.singleKeys}
      </label>
    </Dialog>
  )
}
