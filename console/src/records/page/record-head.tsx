import type { RecordType } from '@matricula/contract/record-types'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { institutionPath } from '../../calls/place.ts'
import { type Document, printPath, remove, rename, update } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { Icon } from '../../elements/icon.tsx'
import { Menu, type MenuItem } from '../../elements/menu.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, go, Link } from '../../shell/router.tsx'
import { getCopy, storeForNew } from '../form/duplicate.ts'
import { findTitleField } from '../form/field-model.ts'
import { useRights } from '../use-record-type.ts'
import { StateBadge } from '../value-text.tsx'

const SplitPerson = lazy(() => import('./split-person.tsx'))

interface Props {
  readonly type: RecordType
  readonly stored: Document | null
  readonly isChanged: boolean
  readonly onShow: (saved: Document) => void
}

type Asking = 'submit' | 'cancel' | 'remove' | 'rename'

/** Which record it is, in which state, and what may be done with it as a whole. */
export function RecordHead({ type, stored, isChanged, onShow }: Props) {
  const { messages, named } = useMessages()
  const mayDo = useRights(type)
  const { has, may, ownerElsewhere } = useSession()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [isSplitting, setSplitting] = useState(false)
  const title = findTitleField(type)
  if (stored === null) {
    return (
      <div className="page-head">
        <h1>{messages.record.new(named(type.name))}</h1>
      </div>
    )
  }
  const docstatus = Number(stored.docstatus ?? 0)
  const isSubmittable = type.kind === 'submittable'
  const isAlone = type.kind === 'single'
  const copy = (amends: boolean) => {
    const values = getCopy(type, stored)
    storeForNew(type.name, amends ? { ...values, amended_from: stored.name } : values)
    go(addressOf.newRecord(type.name))
  }
  const maySplit =
    type.name === 'Guardian' &&
    ['students', 'admissions'].every((part) => has(`${part}:write`)) &&
    ['students', 'enrollment'].every((domain) => ownerElsewhere(domain) === null)
  const items: MenuItem[] = [
    ...(mayDo('create') && !isAlone ? [{ label: messages.record.duplicate, onChoose: () => copy(false) }] : []),
    ...(isAlone
      ? []
      : [
          {
            label: messages.record.print,
            onChoose: () => void window.open(institutionPath + printPath(type.name, stored.name), '_blank', 'noopener'),
          },
        ]),
    ...(type.renameAllowed && mayDo('write')
      ? [{ label: messages.record.rename, onChoose: () => setAsking('rename') }]
      : []),
    ...(maySplit ? [{ label: messages.record.split, onChoose: () => setSplitting(true) }] : []),
    ...(mayDo('delete') && docstatus !== 1 && !isAlone
      ? [{ label: messages.record.remove, isDangerous: true, onChoose: () => setAsking('remove') }]
      : []),
  ]
  const heading = title === undefined ? stored.name : String(stored[title] ?? stored.name)
  return (
    <div className="page-head">
      <div>
        {!isAlone && (
          <Link className="small" to={addressOf.list(type.name)}>
            {named(type.name)}
          </Link>
        )}
        <h1>{isAlone ? named(type.name) : heading}</h1>
        <p className="row">
          {heading !== stored.name && <span className="quiet">{stored.name}</span>}
          {isSubmittable && <StateBadge docstatus={docstatus} />}
        </p>
      </div>
      <div className="row">
        {type.name === 'Student' && (
          <Link className="button" to={addressOf.profile(stored.name)}>
            {messages.screens.profile}
          </Link>
        )}
        {type.name === 'Assessment Plan' && docstatus === 1 && may('Assessment Result', 'read') && (
          <Link className="button main" to={addressOf.gradeSheet(stored.name)}>
            {messages.record.enterScores}
          </Link>
        )}
        {type.name === 'Student Group' && may('Assessment Result', 'read') && may('Assessment Result', 'submit') && (
          <Link className="button" to={addressOf.reportCards(stored.name)}>
            {messages.screens.reportCards}
          </Link>
        )}
        {type.name === 'Student Group' && (
          <Link className="button" to={addressOf.group(stored.name)}>
            {messages.record.members}
          </Link>
        )}
        {type.name === 'Student Promotion' && (
          <Link className="button main" to={addressOf.promotion(stored.name)}>
            {messages.record.promote}
          </Link>
        )}
        {isSubmittable && docstatus === 0 && mayDo('submit') && !isChanged && (
          <Button onClick={() => setAsking('submit')}>{messages.record.submit}</Button>
        )}
        {isSubmittable && docstatus === 1 && mayDo('cancel') && (
          <Button kind="danger" onClick={() => setAsking('cancel')}>
            {messages.record.cancel}
          </Button>
        )}
        {isSubmittable && docstatus === 2 && mayDo('amend') && (
          <Button onClick={() => copy(true)}>{messages.record.amend}</Button>
        )}
        {items.length > 0 && (
          <Menu label={messages.list.more} isIcon items={items}>
            <Icon of="more" />
          </Menu>
        )}
      </div>
      {asking !== null && (
        <AskFirst type={type} stored={stored} asking={asking} onClose={() => setAsking(null)} onShow={onShow} />
      )}
      {isSplitting && (
        <Suspense>
          <SplitPerson guardian={stored.name} displayName={heading} onClose={() => setSplitting(false)} />
        </Suspense>
      )}
    </div>
  )
}

interface AskProps extends Pick<Props, 'type' | 'onShow'> {
  readonly stored: Document
  readonly asking: Asking
  readonly onClose: () => void
}

/** What cannot be taken back is asked for first. */
function AskFirst({ type, stored, asking, onClose, onShow }: AskProps) {
  const { messages } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const [to, setTo] = useState(stored.name)
  const [isBusy, setBusy] = useState(false)
  const [validationError, setError] = useState<string | null>(null)
  const acts: Record<Asking, () => Promise<void>> = {
    submit: async () => {
      onShow(await update(type.name, stored.name, { docstatus: 1, modified: stored.modified }))
      tell(messages.record.submitted)
    },
    cancel: async () => {
      onShow(await update(type.name, stored.name, { docstatus: 2 }))
      tell(messages.record.wasCancelled)
    },
    remove: async () => {
      await remove(type.name, stored.name)
      tell(messages.record.removed)
      go(addressOf.list(type.name), { replace: true })
      void queries.invalidateQueries({ queryKey: ['list', type.name] })
      void queries.invalidateQueries({ queryKey: ['count', type.name] })
    },
    rename: async () => {
      const name = await rename(type.name, stored.name, to)
      tell(messages.record.renamed)
      go(addressOf.record(type.name, name), { replace: true })
      void queries.invalidateQueries()
    },
  }
  const { submit, cancel, removeTitle, rename: renameWord } = messages.record
  const titles = { submit, cancel, remove: removeTitle(stored.name), rename: renameWord }
  const texts = {
    submit: messages.record.submitText,
    cancel: messages.record.cancelText,
    remove: messages.record.removeText,
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      await acts[asking]()
      onClose()
    } catch (error) {
      setError(getErrorText(error, messages))
      setBusy(false)
    }
  }
  const labels = { submit, cancel, remove: messages.record.remove, rename: renameWord }
  return (
    <Dialog title={titles[asking]} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        {validationError !== null && <ErrorSummary title={validationError} />}
        {asking === 'rename' ? (
          <Field id="new-name" label={messages.record.newName}>
            <input
              id="new-name"
              className="input"
              value={to}
              maxLength={140}
              onChange={({ target }) => setTo(target.value)}
            />
          </Field>
        ) : (
          <p>{texts[asking]}</p>
        )}
        <div className="row">
          <Button type="submit" kind={asking === 'submit' || asking === 'rename' ? 'main' : 'danger'} isBusy={isBusy}>
            {labels[asking]}
          </Button>
          <Button kind="plain" onClick={onClose}>
            {messages.record.keep}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
