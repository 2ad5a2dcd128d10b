import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  createWebhook,
  deliveriesOf,
  enableWebhook,
  redeliver,
  removeWebhook,
  testWebhook,
  type Webhook,
  webhooks,
} from '../../calls/administration-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { useIntention } from '../collecting/intention.ts'
import { EntryPage } from './entry-page.tsx'
import { useMoment } from './moments.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { useAdministrationMessages } from './use-administration-messages.ts'
import './administration.css'

const queryKey = ['webhooks']

/** Webhooks with their deliveries. A secret is shown once. */
export default function Webhooks() {
  const { messages } = useMessages()
  const own = useAdministrationMessages()
  const { has } = useSession()
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const isOpen = has('webhooks:read')
  const found = useQuery({ queryKey, queryFn: webhooks, enabled: isOpen })
  if (!isOpen) return <NoPage />
  return (
    <>
      <EntryPage
        title={messages.screens.webhooks}
        action={
          has('webhooks:write') && (
            <Button kind="main" onClick={() => setMaking(true)}>
              {own.newHook}
            </Button>
          )
        }
        found={found}
        empty={{ title: own.noHooks, text: own.noHooksText }}
        hasCards
      >
        {(hook) => <HookCard key={hook.id} hook={hook} mayChange={has('webhooks:write')} />}
      </EntryPage>
      {isMaking && (
        <NewHookDialog
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false)
            setSecret(made)
          }}
        />
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  )
}

function HookCard({ hook, mayChange }: { readonly hook: Webhook; readonly mayChange: boolean }) {
  const own = useAdministrationMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const { isBusy, act } = useIntention()
  const [isRemoving, setRemoving] = useState(false)
  const { id, url, types, status } = hook
  const isEnabled = status === 'enabled'
  const refresh = () => void queries.invalidateQueries({ queryKey })
  return (
    <section className="card section" aria-label={url}>
      <div className="page-head">
        <div>
          <h2>{url}</h2>
          <p className="row">
            <span className={`badge ${isEnabled ? 'good' : 'bad'}`}>{isEnabled ? own.enabled : own.disabled}</span>
            {types.map((type) => (
              <span key={type} className="badge">
                {type}
              </span>
            ))}
          </p>
        </div>
        {mayChange && (
          <span className="row">
            {isEnabled && (
              <Button
                isBusy={isBusy}
                onClick={() =>
                  void act(async (key) => {
                    await testWebhook(key, id)
                    tell(own.tested)
                    void queries.invalidateQueries({ queryKey: ['deliveries', id] })
                  })
                }
              >
                {own.test}
              </Button>
            )}
            <Button
              isBusy={isBusy}
              onClick={() =>
                void act(async () => {
                  await enableWebhook(id, !isEnabled)
                  refresh()
                })
              }
            >
              {isEnabled ? own.disable : own.enable}
            </Button>
            <Button kind="danger" onClick={() => setRemoving(true)}>
              {own.removeHook}
            </Button>
          </span>
        )}
      </div>
      <Deliveries id={id} mayChange={mayChange && isEnabled} />
      {isRemoving && (
        <Dialog title={own.removeHook} onClose={() => setRemoving(false)}>
          <p>{own.removeHookText(url)}</p>
          <div className="row">
            <Button
              kind="danger"
              isBusy={isBusy}
              onClick={() =>
                void act(async () => {
                  await removeWebhook(id)
                  tell(own.hookRemoved)
                  refresh()
                })
              }
            >
              {own.removeHook}
            </Button>
          </div>
        </Dialog>
      )}
    </section>
  )
}

const tones = { pending: 'wait', delivered: 'good', failed: 'bad' } as const

function Deliveries({ id, mayChange }: { readonly id: string; readonly mayChange: boolean }) {
  const own = useAdministrationMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const showMoment = useMoment()
  const { isBusy, act } = useIntention()
  const found = useQuery({ queryKey: ['deliveries', id], queryFn: () => deliveriesOf(id) })
  if (found.isPending) return <Waiting lines={2} />
  if (found.isError) return <Failed error={found.error} again={() => void found.refetch()} />
  return (
    <>
      <h3>{own.deliveries}</h3>
      {found.data.length === 0 && <p className="quiet">{own.noDeliveries}</p>}
      <ul className="timeline">
        {found.data.map(({ id: delivery, type, status, attempts, createdAt }) => {
          const last = attempts.at(-1)
          return (
            <li key={delivery} className="row">
              <strong>{type}</strong>
              <span className={`badge ${tones[status]}`}>{own.deliveryStates[status]}</span>
              <span className="quiet">
                {[
                  showMoment(createdAt),
                  own.attempts(attempts.length),
                  last === undefined
                    ? null
                    : last.httpStatus === null
                      ? last.error
                      : own.responded(String(last.httpStatus)),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {mayChange && status !== 'pending' && (
                <Button
                  kind="plain"
                  isBusy={isBusy}
                  onClick={() =>
                    void act(async (key) => {
                      await redeliver(key, id, delivery)
                      tell(own.redelivered)
                      void queries.invalidateQueries({ queryKey: ['deliveries', id] })
                    })
                  }
                >
                  {own.redeliver}
                  <span className="unseen"> {type}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

interface NewProps {
  readonly onClose: () => void
  readonly onMade: (secret: string) => void
}

function NewHookDialog({ onClose, onMade }: NewProps) {
  const own = useAdministrationMessages()
  const queries = useQueryClient()
  const { isBusy, act } = useIntention()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState('*')
  const send = (event: FormEvent) => {
    event.preventDefault()
    void act(async (key) => {
      const wanted = types.split(/[\s,]+/).filter(Boolean)
      const secret = await createWebhook(key, { url: url.trim(), types: wanted })
      void queries.invalidateQueries({ queryKey })
      onMade(secret)
    })
  }
  return (
    <Dialog title={own.hookTitle} onClose={onClose}>
      <form onSubmit={send}>
        <Field id="hook-url" label={own.url} isRequired>
          <input
            id="hook-url"
            type="url"
            className="input"
            required
            maxLength={2048}
            autoComplete="off"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </Field>
        <Field id="hook-types" label={own.types} isRequired>
          <input
            id="hook-types"
            className="input"
            required
            autoComplete="off"
            value={types}
            onChange={({ target }) => setTypes(target.value)}
          />
        </Field>
        <div className="row">
          <Button type="submit" kind="main" isBusy={isBusy}>
            {own.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
