import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { institutionPath } from '../calls/place.ts'
import { Dialog } from '../elements/dialog.tsx'
import { Icon } from '../elements/icon.tsx'
import { Menu } from '../elements/menu.tsx'
import { type Language, languages, useMessages } from '../messages/messages.tsx'
import { useUnhandledRejections } from '../session/failed.tsx'
import { IdleWarning } from '../session/idle-warning.tsx'
import { leave } from '../session/leave.ts'
import { useLiveChanges } from '../session/live-changes.ts'
import { LogInAgain } from '../session/log-in-again.tsx'
import { usePreferences } from '../session/preferences.ts'
import { useSession } from '../session/session.tsx'
import { type EarlyKeys, keepEarlyKeys } from './early-keys.ts'
import { useKeys } from './keys.ts'
import { OfflineBar } from './offline-bar.tsx'
import { useOwnWays } from './own-ways.ts'
import { getLocations, type NavigationGroup } from './places.ts'
import { addressOf, Link, usePath } from './router.tsx'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)
const KeyList = lazy(() => import('./key-list.tsx'))

/** Everything around a screen: whose console it is, where one may go, finding, who is there. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const { messages } = useMessages()
  const [open, setOpen] = useState<'palette' | 'keys' | 'places' | null>(null)
  const locations = useMemo(() => getLocations(session), [session])
  const main = useRef<HTMLElement>(null)
  const path = usePath()
  const first = useRef(path)
  useEffect(() => {
    // Whoever moved on reads from the top of what is new, with keyboard and screen reader too.
    if (first.current !== path) main.current?.focus()
    first.current = path
    setOpen(null)
  }, [path])
  // What is typed before the palette is there is kept for it.
  const early = useRef<EarlyKeys | null>(null)
  const openPalette = () => {
    early.current ??= keepEarlyKeys(document)
    setOpen('palette')
  }
  const takeTyped = useCallback(() => {
    const typed = early.current?.take() ?? ''
    early.current = null
    return typed
  }, [])
  useKeys({ 'mod+k': openPalette, '?': () => setOpen('keys') })
  const close = () => setOpen(null)
  useEffect(() => {
    // Where it cannot be had, or was closed before it came, nothing is kept any longer.
    if (open !== 'palette') takeTyped()
  }, [open, takeTyped])
  useEffect(() => {
    // It is there when its key is pressed, so that what is typed after it is not lost.
    // Where it cannot be had, it is asked for again when its key is pressed.
    const soon = setTimeout(() => void loadPalette().catch(() => {}), 1000)
    return () => clearTimeout(soon)
  }, [])
  useLiveChanges()
  useUnhandledRejections()
  useOwnWays()
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {messages.frame.skip}
      </a>
      <header className="top">
        <Link to={addressOf.home} className="whose">
          {session.tenant.name}
        </Link>
        {session.academicYear !== null && (
          <span className="badge year">{messages.frame.year(session.academicYear)}</span>
        )}
        <div className="find">
          <button
            type="button"
            className="button"
            aria-keyshortcuts="Control+K Meta+K"
            aria-haspopup="dialog"
            onClick={openPalette}
          >
            <Icon of="search" />
            <span className="text">{messages.frame.find}</span>
            <kbd>Ctrl K</kbd>
          </button>
        </div>
        <AccountMenu onKeys={() => setOpen('keys')} />
      </header>
      <OfflineBar />
      <nav className="side" aria-label={messages.frame.navigation}>
        <Places groups={locations} />
      </nav>
      <main id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      <BottomBar groups={locations} onAll={() => setOpen('places')} />
      {open === 'places' && (
        <Dialog title={messages.frame.more} onClose={close}>
          <nav className="all-places" aria-label={messages.frame.more}>
            <Places groups={locations} onGo={close} />
          </nav>
        </Dialog>
      )}
      <Suspense>
        {open === 'palette' && <Palette groups={locations} takeTyped={takeTyped} onClose={close} />}
        {open === 'keys' && <KeyList onClose={close} />}
      </Suspense>
      <IdleWarning />
      <LogInAgain />
    </div>
  )
}

/** Whether the screen that is shown is about records of a type. */
function isWithin(path: string, type: string): boolean {
  const list = addressOf.list(type)
  return path === list || path.startsWith(`${list}/`)
}

function Places({ groups, onGo }: { readonly groups: readonly NavigationGroup[]; readonly onGo?: () => void }) {
  const { messages, namedMany } = useMessages()
  const path = usePath()
  const { badges } = useSession()
  const more = onGo !== undefined && { onClick: onGo }
  return groups.map(({ id, screens, types }) => (
    <section key={id}>
      <h2>{messages.groups[id]}</h2>
      <ul>
        {screens.map((name) => (
          <li key={name}>
            <Link to={addressOf[name]} aria-current={path === addressOf[name] ? 'page' : undefined} {...more}>
              {messages.screens[name]}
              {name === 'review' && (badges.documentsToReview ?? 0) > 0 && (
                <span className="badge wait numbers">{badges.documentsToReview}</span>
              )}
            </Link>
          </li>
        ))}
        {types.map((type) => (
          <li key={type}>
            <Link to={addressOf.list(type)} aria-current={isWithin(path, type) ? 'page' : undefined} {...more}>
              {namedMany(type)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ))
}

/** On a phone: the first lists of this person, and all others behind one button. */
function BottomBar({ groups, onAll }: { readonly groups: readonly NavigationGroup[]; readonly onAll: () => void }) {
  const { messages, namedMany } = useMessages()
  const path = usePath()
  const locations = groups.flatMap(({ screens, types }) => [
    ...screens.map((name) => ({ to: addressOf[name] as string, text: messages.screens[name] })),
    ...types.slice(0, 1).map((type) => ({ to: addressOf.list(type), text: namedMany(type) })),
  ])
  return (
    <nav className="bottom" aria-label={messages.frame.navigation}>
      <Link to={addressOf.home} aria-current={path === addressOf.home ? 'page' : undefined}>
        <Icon of="home" />
        {messages.frame.home}
      </Link>
      {locations.slice(0, 3).map(({ to, text }) => (
        <Link key={to} to={to} aria-current={path === to || path.startsWith(`${to}/`) ? 'page' : undefined}>
          <Icon of="list" />
          {text}
        </Link>
      ))}
      <button type="button" aria-haspopup="dialog" onClick={onAll}>
        <Icon of="menu" />
        {messages.frame.more}
      </button>
    </nav>
  )
}

function AccountMenu({ onKeys }: { readonly onKeys: () => void }) {
  const { messages, choose, language } = useMessages()
  const { prefer } = usePreferences()
  const { user } = useSession()
  const path = usePath()
  const spoken = Object.entries(languages).map(([tag, name]) => ({
    label: name,
    onChoose: () => {
      choose(tag as Language)
      prefer({ language: tag })
    },
  }))
  return (
    <Menu
      label={`${messages.session.account}: ${user.fullName}`}
      kind="plain"
      isIcon
      items={[
        ...spoken,
        {
          label: messages.frame.helpHere,
          onChoose: () => void window.open(getGuide(path, language), '_blank', 'noopener'),
        },
        { label: messages.frame.keys, onChoose: onKeys },
        { label: messages.session.signIn, onChoose: () => location.assign(`${institutionPath}/sign-in`) },
        { label: messages.session.logOut, onChoose: () => void leave() },
      ]}
    >
      <Icon of="person" />
    </Menu>
  )
}

/** The guides for single roles, by the screens that they are about. */
const guides = [
  ['teacher', /^\/(?:attendance|timetable|grades|report-cards)/],
  ['bursar', /^\/fees/],
  ['registrar', /^\/(?:students|groups|promotions|teaching)/],
  ['admissions', /^\/admissions/],
  ['administrator', /^\/(?:administration|imports)/],
] as const

/** The guide for the staff that is about a screen, in the person's language where there is one. */
function getGuide(path: string, language: string): string {
  const role = guides.find(([, pattern]) => pattern.test(path))?.[0]
  if (role !== undefined) return `/docs/guides/staff-${role}${language === 'en' ? '' : `-${language}`}`

  const part = /^\/records\/[^/]+$/.test(path) ? 'lists' : 'records'
  return `/docs/guides/staff-console#${path === addressOf.home ? 'find-your-way' : part}`
}
