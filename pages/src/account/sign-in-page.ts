import { browserText } from '../browser-messages.ts'
import { errorSummary } from '../error-summary.ts'
import { formatMoment } from '../formats.ts'
import { frame, getAddress, type PageContext } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { type Messages, messagesIn } from '../messages/index.ts'
import { type AccountError, errorText } from './account-error.ts'
import { field } from './account-field.ts'

/** A session on the page of whom it belongs to. */
export interface SessionView {
  readonly id: string
  readonly isThis: boolean
  /** What somebody showed to log in. */
  readonly proofs: readonly (keyof Messages['signIn']['by'])[]
  /** What the browser said that it is. */
  readonly agent: string | null
  readonly network: string | null
  readonly createdAt: string
  readonly lastSeenAt: string
}

/** The page with the ways to log in, and the sessions, of somebody who is logged in. */
export interface SignInView {
  readonly place: PageContext
  readonly institution: string
  readonly timeZone: string
  readonly csrfToken: string
  readonly fault: AccountError | null
  /** Whether something was changed just now. */
  readonly isDone: boolean
  /** Whether the log-in is so young that ways to log in may be changed. */
  readonly isFresh: boolean
  readonly sessions: readonly SessionView[]
  readonly accounts: readonly { id: string; issuer: string; email: string | null; linkedAt: string }[]
  /** Issuers whose accounts somebody took away. */
  readonly removedIssuers: readonly { readonly id: string; readonly name: string }[]
  /** Whether a code is needed to take codes away. */
  readonly isCodeAsked: boolean
  /** Since when a code is asked after the password, and how many recovery codes are left; null where none is asked. */
  readonly codes: { readonly createdAt: string; readonly recoveryLeft: number } | null
  readonly passkeys: readonly { id: string; name: string; createdAt: string; lastUsedAt: string | null }[]
  /** The page to add a passkey, from the root. */
  readonly passkeyPath: string
  /** The page to set up one-time codes, from the root. */
  readonly codesPath: string
  /** Where the way back leads, from the root. */
  readonly backPath: string
  /** The page to change the password, from the root. */
  readonly passwordPath: string
}

/** The page on which somebody sees and ends their sessions, and changes how they log in. */
export function renderSignInPage(view: SignInView): string {
  const { place: context, institution, fault: validationError, isDone, backPath, passwordPath } = view
  const { account, signIn } = messagesIn(context.locale)
  return frame(context, {
    institution,
    title: signIn.title,
    hasFaults: validationError !== null,
    main: html`${validationError === null ? nothing : errorSummary(context.locale, [errorText(context.locale, validationError)])}
${isDone ? html`<p class="sent" role="status">${signIn.ended}</p>` : nothing}
<p><a href="${getAddress({ ...context, path: backPath })}">${signIn.back}</a></p>
<h2>${signIn.title}</h2>
<p><a href="${getAddress({ ...context, path: passwordPath })}">${account.changePassword}</a></p>
${sessions(view)}
${view.isFresh ? nothing : loggingInAgain(view)}
${passkeys(view)}
${codes(view)}
${accounts(view)}`,
  })
}

function sessions(view: SignInView): Html {
  const { place: context, timeZone, sessions: all } = view
  const { signIn } = messagesIn(context.locale)
  const moment = (text: string) => formatMoment(context.locale, text, timeZone)
  const items = all.map(({ id, isThis, proofs, agent, network, createdAt, lastSeenAt }) => {
    const by = proofs.map((proof) => signIn.by[proof]).join(', ')
    return html`<li><p><strong>${browserText(context.locale, agent)}</strong>${isThis ? ` – ${signIn.here}` : ''}</p>
<p class="quiet">${signIn.since(moment(createdAt))} ${by}. ${signIn.lastSeen(moment(lastSeenAt))}.${network === null || network === '' ? '' : ` ${signIn.from(network)}.`}</p>
${isThis ? nothing : button(view, { doing: 'end', id }, signIn.end)}</li>`
  })
  return html`<section class="part"><h3>${signIn.sessions}</h3>
<ul>${items}</ul>
${all.length > 1 ? button(view, { doing: 'end-others' }, signIn.endOthers) : nothing}</section>`
}

function loggingInAgain(view: SignInView): Html {
  const { signIn } = messagesIn(view.place.locale)
  return html`<section class="part"><p>${signIn.freshFirst}</p>
${button(view, { doing: 'log-in-again' }, signIn.logInAgain)}</section>`
}

function passkeys(view: SignInView): Html {
  const { place: context, timeZone, passkeys: all, passkeyPath, isFresh } = view
  const { passkeys: messages, signIn } = messagesIn(context.locale)
  const moment = (text: string) => formatMoment(context.locale, text, timeZone)
  const items = all.map(({ id, name, createdAt, lastUsedAt }) => {
    const used = lastUsedAt === null ? messages.unused : signIn.lastSeen(moment(lastUsedAt))
    return html`<li><p><strong>${name}</strong></p>
<p class="quiet">${signIn.linked(moment(createdAt))}. ${used}.</p>
${isFresh ? button(view, { doing: 'remove-passkey', id }, signIn.unlink) : nothing}</li>`
  })
  return html`<section class="part"><h3>${messages.title}</h3><p class="quiet">${messages.about}</p>
${all.length === 0 ? html`<p class="quiet">${messages.none}</p>` : html`<ul>${items}</ul>`}
${isFresh ? html`<p><a href="${getAddress({ ...context, path: passkeyPath })}">${messages.add}</a></p>` : nothing}</section>`
}

function codes(view: SignInView): Html {
  const { place: context, timeZone, codes: set, codesPath, isFresh, isCodeAsked, fault: validationError } = view
  const { signIn } = messagesIn(context.locale)
  const address = getAddress({ ...context, path: codesPath })
  if (set === null) {
    return html`<section class="part"><h3>${signIn.codes}</h3><p class="quiet">${signIn.codesOff}</p>
${isFresh ? html`<p><a href="${address}">${signIn.setUpCodes}</a></p>` : nothing}</section>`
  }
  const code = isCodeAsked
    ? field({
        id: 'code',
        name: 'code',
        label: signIn.codeFirst,
        type: 'text',
        autocomplete: 'one-time-code',
        fault: validationError !== null,
      })
    : nothing
  return html`<section class="part"><h3>${signIn.codes}</h3>
<p>${signIn.codesOn(formatMoment(context.locale, set.createdAt, timeZone))} ${signIn.recoveryLeft(set.recoveryLeft)}</p>
${isFresh ? html`<p><a href="${address}">${signIn.setUpAgain}</a></p>${button(view, { doing: 'remove-codes' }, signIn.removeCodes, code)}` : nothing}</section>`
}

function accounts(view: SignInView): Html {
  const { place: context, timeZone, accounts: all, removedIssuers, isFresh } = view
  const { signIn } = messagesIn(context.locale)
  const items = all.map(({ id, issuer, email, linkedAt }) => {
    return html`<li><p><strong>${issuer}</strong> ${email ?? ''}</p>
<p class="quiet">${signIn.linked(formatMoment(context.locale, linkedAt, timeZone))}</p>
${isFresh ? button(view, { doing: 'unlink', id }, signIn.unlink) : nothing}</li>`
  })
  const removed = removedIssuers.map(({ id, name }) => {
    return html`<li><p><strong>${name}</strong></p><p class="quiet">${signIn.removed}</p>
${isFresh ? button(view, { doing: 'allow', id }, signIn.allow) : nothing}</li>`
  })
  return html`<section class="part"><h3>${signIn.accounts}</h3>
${all.length === 0 ? html`<p class="quiet">${signIn.noAccounts}</p>` : html`<ul>${items}</ul>`}
${removed.length === 0 ? nothing : html`<ul>${removed}</ul>`}</section>`
}

/** A button that sends what is to be done, with the token of the session. */
function button(
  { place: context, csrfToken }: SignInView,
  fields: Readonly<Record<string, string>>,
  label: string,
  more: Html = nothing,
): Html {
  const hidden = Object.entries({ csrf_token: csrfToken, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${getAddress(context)}">${hidden}${more}<button>${label}</button></form>`
}
