import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useDeferredValue, useState } from 'react'
import {
  endSessionsOf,
  inviteUser,
  mailPasswordLink,
  roleNames,
  type StaffUser,
  setLogIn,
  staffUsers,
  unlockUser,
} from '../../calls/administration-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { Icon } from '../../elements/icon.tsx'
import { Menu } from '../../elements/menu.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useIntention } from '../collecting/intention.ts'
import { EntryPage } from './entry-page.tsx'
import { useMoment } from './moments.ts'
import { useAdministrationMessages } from './use-administration-messages.ts'
import './administration.css'

const queryKey = ['staff_users']

/** Who logs in: they are invited, get a new link, are let in again, and have their sessions ended. */
export default function Users() {
  const { messages } = useMessages()
  const own = useAdministrationMessages()
  const { user } = useSession()
  const [typed, setTyped] = useState('')
  const [isInviting, setInviting] = useState(false)
  const sought = useDeferredValue(typed.trim())
  const isOpen = user.roles.includes('System Manager')
  const found = useQuery({
    queryKey: [...queryKey, sought],
    queryFn: () => staffUsers(sought),
    placeholderData: (before) => before,
    enabled: isOpen,
  })
  if (!isOpen) return <NoPage />
  return (
    <>
      <EntryPage
        title={messages.screens.users}
        action={
          <Button kind="main" onClick={() => setInviting(true)}>
            {own.invite}
          </Button>
        }
        tools={
          <div className="tools">
            <Field id="find-user" label={own.search} about={own.searchAbout} isWide>
              <input
                id="find-user"
                type="search"
                className="input"
                autoComplete="off"
                aria-describedby="find-user-about"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            </Field>
          </div>
        }
        found={found}
        empty={{ title: own.nobody, text: own.nobodyText }}
      >
        {(each) => <UserItem key={each.id} user={each} isOneself={each.id === user.id} />}
      </EntryPage>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}

function UserItem({ user, isOneself }: { readonly user: StaffUser; readonly isOneself: boolean }) {
  const own = useAdministrationMessages()
  const { named } = useMessages()
  const { has } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const { act } = useIntention()
  const showMoment = useMoment()
  const { id, email, fullName, enabled, roles, hasPassword, lastLogIn, sessions, isLocked } = user
  const item = (label: string, work: () => Promise<void>, told: string, isDangerous = false) => ({
    label,
    isDangerous,
    onChoose: () =>
      void act(async () => {
        await work()
        tell(told)
      }).finally(() => void queries.invalidateQueries({ queryKey })),
  })
  return (
    <li>
      <div>
        <strong>{fullName}</strong> <span className="quiet">{email}</span>
        <p className="row">
          {!enabled && <span className="badge bad">{own.closed}</span>}
          {isLocked && <span className="badge wait">{own.locked}</span>}
          {!hasPassword && <span className="badge wait">{own.noPassword}</span>}
          {roles.map((role) => (
            <span key={role} className="badge">
              {named(role)}
            </span>
          ))}
        </p>
        <p className="quiet small">
          {lastLogIn === null ? own.never : own.lastLogIn(showMoment(lastLogIn))} · {own.sessions(sessions)}
          {has('audit:read') && (
            <>
              {' · '}
              <Link className="file" to={`${addressOf.audit}?entityType=user&entityId=${id}`}>
                {own.logIns}
                <span className="unseen"> {fullName}</span>
              </Link>
            </>
          )}
        </p>
      </div>
      <Menu
        label={own.actions(fullName)}
        isIcon
        items={[
          ...(enabled ? [item(own.mailLink, () => mailPasswordLink(id), own.linkMailed(email))] : []),
          item(own.unlock, () => unlockUser(id), own.unlocked(fullName)),
          item(own.endSessions, () => endSessionsOf(id), own.sessionsEnded(fullName)),
          ...(isOneself
            ? []
            : [
                enabled
                  ? item(own.close, () => setLogIn(id, false), own.closedNow(fullName), true)
                  : item(own.open, () => setLogIn(id, true), own.openNow(fullName)),
              ]),
        ]}
      >
        <Icon of="more" />
      </Menu>
    </li>
  )
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const own = useAdministrationMessages()
  const { named } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const { isBusy, act } = useIntention()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [roles, setRoles] = useState<ReadonlySet<string>>(new Set())
  const known = useQuery({ queryKey: ['roles'], queryFn: roleNames })
  const send = (event: FormEvent) => {
    event.preventDefault()
    void act(async (key) => {
      await inviteUser(key, { email: email.trim(), name: name.trim(), roles: [...roles] })
      tell(own.invited(email.trim()))
      void queries.invalidateQueries({ queryKey })
      onClose()
    })
  }
  return (
    <Dialog title={own.inviteTitle} onClose={onClose}>
      <form onSubmit={send}>
        <p className="quiet">{own.inviteText}</p>
        <Field id="invite-name" label={own.name} isRequired>
          <input
            id="invite-name"
            className="input"
            required
            maxLength={140}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field id="invite-email" label={own.email} isRequired>
          <input
            id="invite-email"
            type="email"
            className="input"
            required
            maxLength={140}
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </Field>
        <Checks
          legend={own.roles}
          options={(known.data ?? []).map((role) => [role, named(role)])}
          picked={roles}
          onPick={setRoles}
        />
        <div className="row">
          <Button type="submit" kind="main" isBusy={isBusy}>
            {own.invite}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ChecksProps {
  readonly legend: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
}

/** Several things of which any may be picked. */
export function Checks({ legend, options, picked, onPick }: ChecksProps) {
  return (
    <fieldset>
      <legend className="label">{legend}</legend>
      <div className="checks">
        {options.map(([value, label]) => (
          <label key={value} className="check">
            <input
              type="checkbox"
              checked={picked.has(value)}
              onChange={({ target }) => {
                const next = new Set(picked)
                if (target.checked) next.add(value)
                else next.delete(value)
                onPick(next)
              }}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
