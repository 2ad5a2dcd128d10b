import type { Field, RecordType } from '@matricula/contract/record-types'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { type ListQuestion, list, updateMany } from '../calls/resource-api.ts'
import { Button } from '../elements/button.tsx'
import { Dialog } from '../elements/dialog.tsx'
import { Field as FieldElement } from '../elements/field.tsx'
import { useTell } from '../elements/notices.tsx'
import { Fault } from '../elements/states.tsx'
import { tellingOf } from '../session/failed.tsx'
import { useWords } from '../words/words.tsx'
import { useRights } from './use-record-type.ts'
import { ValueControl } from './value-control.tsx'

interface Props {
  readonly type: RecordType
  readonly picked: ReadonlySet<string>
  /** How many match the list's filters. */
  readonly total: number
  readonly question: ListQuestion
  readonly onPick: (names: readonly string[]) => void
}

/** So many are changed with one call, so that progress can be told and a call is soon over. */
const atOnce = 100

/** What is done with the records that are picked. */
export function BulkBar({ type, picked, total, question, onPick }: Props) {
  const { words } = useWords()
  const mayDo = useRights(type)
  const tell = useTell()
  const [isOpen, setOpen] = useState(false)
  const pickAll = async () => {
    try {
      const all = await list(type.name, { ...question, fields: ['name'], start: 0, length: 0 })
      onPick(all.map(({ name }) => name))
    } catch (error) {
      tell(tellingOf(error, words), { isBad: true })
    }
  }
  return (
    <section className="picked" aria-label={words.list.picked(picked.size)}>
      <strong role="status">{words.list.picked(picked.size)}</strong>
      {picked.size < total && <Button onClick={() => void pickAll()}>{words.list.pickAll(total)}</Button>}
      {mayDo('write') && <Button onClick={() => setOpen(true)}>{words.list.bulk}</Button>}
      <Button kind="plain" onClick={() => onPick([])}>
        {words.list.unpick}
      </Button>
      {isOpen && <BulkDialog type={type} names={[...picked]} onClose={() => setOpen(false)} onPick={onPick} />}
    </section>
  )
}

interface DialogProps extends Pick<Props, 'type' | 'onPick'> {
  readonly names: readonly string[]
  readonly onClose: () => void
}

/** Changes one field of many records. What was refused stays picked, with the reason. */
function BulkDialog({ type, names, onClose, onPick }: DialogProps) {
  const { words, named } = useWords()
  const queries = useQueryClient()
  const tell = useTell()
  const id = useId()
  const fields = Object.entries(type.fields).filter(([, field]) => mayBeSet(field))
  const [chosen, setChosen] = useState(fields[0]?.[0] ?? '')
  const [value, setValue] = useState<unknown>('')
  const [done, setDone] = useState<number | null>(null)
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map())
  const [fault, setFault] = useState<string | null>(null)
  const field = type.fields[chosen]
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (done !== null || field === undefined) return
    const refused = new Map<string, string>()
    setFault(null)
    try {
      for (let from = 0; from < names.length; from += atOnce) {
        setDone(from)
        const part = names.slice(from, from + atOnce)
        const sent = value === '' ? (field.type === 'Check' ? 0 : null) : value
        for (const [name, reason] of await updateMany(type.name, part, { [chosen]: sent })) refused.set(name, reason)
      }
      tell(words.list.bulkDone(names.length - refused.size))
      onPick([...refused.keys()])
      setFailed(refused)
      if (refused.size === 0) onClose()
    } catch (error) {
      setFault(tellingOf(error, words))
    } finally {
      setDone(null)
      void queries.invalidateQueries()
    }
  }
  return (
    <Dialog title={words.list.bulkTitle(names.length)} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        {fault !== null && <Fault title={fault} />}
        {failed.size > 0 && (
          <Fault title={words.list.bulkFailed(failed.size)}>
            <ul>
              {[...failed].slice(0, 20).map(([name, reason]) => (
                <li key={name}>
                  {name}: {reason}
                </li>
              ))}
            </ul>
          </Fault>
        )}
        <p className="quiet">{words.list.bulkText}</p>
        <FieldElement id={`${id}-field`} label={words.list.field}>
          <select
            id={`${id}-field`}
            className="input"
            value={chosen}
            onChange={({ target }) => {
              setChosen(target.value)
              setValue('')
            }}
          >
            {fields.map(([name, each]) => (
              <option key={name} value={name}>
                {named(each.label)}
              </option>
            ))}
          </select>
        </FieldElement>
        {field !== undefined && (
          <FieldElement id={`${id}-value`} label={words.list.value}>
            <ValueControl id={`${id}-value`} field={field} value={value} onChange={setValue} />
          </FieldElement>
        )}
        {done !== null && <progress value={done} max={names.length} aria-label={words.frame.loading} />}
        <Button type="submit" kind="main" isBusy={done !== null}>
          {words.list.bulkTitle(names.length)}
        </Button>
      </form>
    </Dialog>
  )
}

function mayBeSet(field: Field): boolean {
  const isSimple = !['Table', 'Password', 'Attach', 'Attach Image', 'Dynamic Link'].includes(field.type)
  return isSimple && !field.hidden && !field.readOnly && !field.setOnlyOnce && !field.unique && !field.fetchFrom
}
