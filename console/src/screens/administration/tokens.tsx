import { domains, scopes } from '@matricula/contract/access'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ApiToken, apiTokens, createToken, revokeToken, rotateToken } from '../../calls/administration-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { useIntention } from '../collecting/intention.ts'
import { EntryPage } from './entry-page.tsx'
import { useMoment } from './moments.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { useAdministrationMessages } from './use-administration-messages.ts'
import { Checks } from './users.tsx'
import './administration.css'

const queryKey = ['api_tokens']

/** Tokens of the Client API: what each may do, and when it was used. A secret is shown once. */
export default function Tokens() {
  const { messages } = useMessages()
  const own = useAdministrationMessages()
  const { user } = useSession()
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const isOpen = user.roles.includes('System Manager')
  const tokens = useQuery({ queryKey, queryFn: apiTokens, enabled: isOpen })
  if (!isOpen) return <NoPage />
  return (
    <>
      <EntryPage
        title={messages.screens.tokens}
        action={
          <Button kind="main" onClick={() => setMaking(true)}>
            {own.newToken}
          </Button>
        }
        found={tokens}
        empty={{ title: own.noTokens, text: own.noTokensText }}
      >
        {(token) => <TokenItem key={token.id} token={token} onSecret={setSecret} />}
      </EntryPage>
      {isMaking && (
        <NewTokenDialog
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

function TokenItem({ token, onSecret }: { readonly token: ApiToken; readonly onSecret: (secret: string) => void }) {
  const own = useAdministrationMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const showMoment = useMoment()
  const { isBusy, act } = useIntention()
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null)
  const { id, name, scopes: own_scopes, masterDomains, revokedAt, secrets } = token
  const send = async () => {
    await act(async () => {
      if (asking === 'rotate') onSecret((await rotateToken(id)).secret)
      else {
        await revokeToken(id)
        tell(own.tokenRevoked(name))
      }
    })
    setAsking(null)
    void queries.invalidateQueries({ queryKey })
  }
  return (
    <li>
      <div>
        <strong>{name}</strong> {revokedAt !== null && <span className="badge bad">{own.revoked}</span>}
        <p className="row">
          {[...own_scopes, ...masterDomains].map((each) => (
            <span key={each} className="badge">
              {each}
            </span>
          ))}
        </p>
        {secrets.map(({ lastFour, expiresAt, lastUsedAt }) => (
          <p key={lastFour} className="quiet small">
            {[
              own.endsIn(lastFour),
              expiresAt === null ? null : own.until(showMoment(expiresAt)),
              lastUsedAt === null ? own.unused : own.used(showMoment(lastUsedAt)),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        ))}
      </div>
      {revokedAt === null && (
        <span className="row">
          <Button onClick={() => setAsking('rotate')}>
            {own.rotate}
            <span className="unseen"> {name}</span>
          </Button>
          <Button kind="danger" onClick={() => setAsking('revoke')}>
            {own.revoke}
            <span className="unseen"> {name}</span>
          </Button>
        </span>
      )}
      {asking !== null && (
        <Dialog title={name} onClose={() => setAsking(null)}>
          <p>{asking === 'rotate' ? own.rotateText : own.revokeText(name)}</p>
          <div className="row">
            <Button kind={asking === 'rotate' ? 'main' : 'danger'} isBusy={isBusy} onClick={() => void send()}>
              {asking === 'rotate' ? own.rotate : own.revoke}
            </Button>
          </div>
        </Dialog>
      )}
    </li>
  )
}

interface NewProps {
  readonly onClose: () => void
  readonly onMade: (secret: string) => void
}

function NewTokenDialog({ onClose, onMade }: NewProps) {
  const own = useAdministrationMessages()
  const queries = useQueryClient()
  const { isBusy, act } = useIntention()
  const [name, setName] = useState('')
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [written, setWritten] = useState<ReadonlySet<string>>(new Set())
  const [days, setDays] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    void act(async () => {
      const made = await createToken({
        name: name.trim(),
        scopes: [...picked],
        masterDomains: [...written],
        expiresInDays: days === '' ? null : Number(days),
      })
      void queries.invalidateQueries({ queryKey })
      onMade(made.secret)
    })
  }
  return (
    <Dialog title={own.tokenTitle} onClose={onClose} className="wide">
      <form onSubmit={send}>
        <Field id="token-name" label={own.tokenName} isRequired>
          <input
            id="token-name"
            className="input"
            required
            maxLength={140}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Checks legend={own.scopes} options={scopes.map((each) => [each, each])} picked={picked} onPick={setPicked} />
        <Checks
          legend={own.domains}
          options={domains.map((each) => [each, each])}
          picked={written}
          onPick={setWritten}
        />
        <Field id="token-days" label={own.days}>
          <input
            id="token-days"
            type="number"
            className="input"
            min={1}
            max={3650}
            value={days}
            onChange={({ target }) => setDays(target.value)}
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
