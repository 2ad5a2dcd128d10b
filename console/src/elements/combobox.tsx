import { type KeyboardEvent, useId, useState } from 'react'

/** One thing to choose, with what else it is known by. */
export interface Choice {
  readonly value: string
  readonly text: string
  readonly about?: string
}

interface Props {
  readonly id: string
  readonly typed: string
  readonly onType: (typed: string) => void
  /** What there is to choose for what was typed. */
  readonly choices: readonly Choice[]
  readonly onChoose: (choice: Choice) => void
  readonly onLeave?: () => void
  readonly nothing: string
  readonly isReadOnly?: boolean
  readonly isRequired?: boolean
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  readonly label?: string
  readonly placeholder?: string
}

/** A field that offers what begins with, or has, what is typed (APG, editable combobox with list; WAI-ARIA 1.2 §5.3). */
export function Combobox(props: Props) {
  const { id, typed, choices, onChoose } = props
  const [isOpen, setOpen] = useState(false)
  const [pointed, setPointed] = useState<string | null>(null)
  const listId = useId()
  const isShown = isOpen && props.isReadOnly !== true
  // What was pointed at stays so where it stands among what is found meanwhile, and nothing else takes its place.
  const active = isShown ? choices.findIndex(({ value }) => value === pointed) : -1
  const choose = (choice: Choice) => {
    setOpen(false)
    setPointed(null)
    onChoose(choice)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      const next = (active + step + choices.length + (active < 0 && step < 0 ? 1 : 0)) % choices.length
      setPointed(choices[next]?.value ?? null)
    } else if (event.key === 'Enter' && isShown && active >= 0) {
      event.preventDefault()
      choose(choices[active] as Choice)
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
  }
  return (
    <div className="combobox">
      <input
        id={id}
        className="input"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
        aria-label={props.label}
        aria-invalid={props.isInvalid || undefined}
        aria-required={props.isRequired || undefined}
        aria-describedby={props.describedBy}
        placeholder={props.placeholder}
        readOnly={props.isReadOnly}
        value={typed}
        onChange={({ target }) => {
          props.onType(target.value)
          setOpen(true)
          setPointed(null)
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setOpen(false)
          props.onLeave?.()
        }}
      />
      {isShown && (
        <div className="options" id={listId} role="listbox" aria-label={props.label ?? typed} tabIndex={-1}>
          {choices.length === 0 && <p className="quiet">{props.nothing}</p>}
          {choices.map((choice, index) => (
            // The field keeps the focus: keys are its own.
            // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant of the field
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            <div
              key={choice.value}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              {choice.text}
              {choice.about !== undefined && choice.about !== '' && <span className="quiet">{choice.about}</span>}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
