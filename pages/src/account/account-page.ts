import { errorSummary } from '../error-summary.ts'
import { frame, getAddress, type PageContext } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { messagesIn } from '../messages/index.ts'
import { type AccountError, errorText } from './account-error.ts'
import { field, goesToField } from './account-field.ts'

/** The lengths that a password may have, in characters. */
export interface PasswordLength {
  readonly minimum: number
  readonly maximum: number
}

/** A page on which somebody logs in, or asks for a link to set a new password. */
export interface LogInView {
  readonly place: PageContext
  readonly institution: string
  /** What was typed as the user. */
  readonly user: string
  readonly fault: AccountError | null
  /** Whether it is the page on which a link for a new password is asked for. */
  readonly isForgotten: boolean
  /** How long a link works, in minutes, once one was asked for; else null. */
  readonly linkSentFor: number | null
  /** Whether links are mailed at all. */
  readonly sendsMail: boolean
  /** The address of the same site where somebody goes on to who has logged in; null for where everybody goes. */
  readonly goesTo: string | null
  /** The issuers with whose accounts one can log in, where that begins for each, relative to the page. */
  readonly issuers: readonly { readonly name: string; readonly address: string }[]
  /** Where one logs in with a passkey, relative to the page. */
  readonly passkeyAddress: string
}

/** The page to log in. */
export function renderLogInPage(view: LogInView): string {
  const {
    place: context,
    institution,
    user,
    fault: validationError,
    isForgotten,
    linkSentFor,
    sendsMail,
    goesTo,
    issuers,
    passkeyAddress,
  } = view
  const { account, passkeys, signIn } = messagesIn(context.locale)
  const ask = sendsMail
    ? html`<p>${account.forgotHint}</p>
<form method="post" action="${getAddress(context)}">
${field({ id: 'forgotten', name: 'user', label: account.email, type: 'email', autocomplete: 'username', value: user })}
<button>${account.sendLink}</button>
</form>`
    : html`<p>${account.noMail(institution)}</p>`
  const others = [
    ...issuers.map(({ name, address }) => html`<p><a href="${address}">${signIn.with(name)}</a></p>`),
    html`<p><a href="${passkeyAddress}">${passkeys.logIn}</a></p>`,
  ]
  const forgot = html`<section class="part"><h2>${account.forgot}</h2>${ask}</section>`
  return frame(context, {
    institution,
    title: account.logIn,
    hasFaults: validationError !== null,
    main: html`${summary(context, validationError)}
${linkSentFor === null ? nothing : html`<p class="sent" role="status">${account.linkSent(linkSentFor)}</p>`}
${isForgotten ? forgot : nothing}
<h2>${account.logIn}</h2>
<div class="part">${others}<p class="quiet">${signIn.or}</p></div>
<form class="part" method="post" action="${getAddress(context)}">
${goesToField(goesTo)}
${field({ id: 'usr', name: 'usr', label: account.email, type: 'email', autocomplete: 'username', value: user })}
${field({ id: 'pwd', name: 'pwd', label: account.password, type: 'password', autocomplete: 'current-password' })}
<button class="main">${account.logIn}</button>
<p><button class="link" name="forgot" value="yes" formnovalidate>${account.forgot}</button></p>
</form>`,
  })
}

/** A page on which somebody sets a new password, by the key of a link or by the old password. */
export interface PasswordView {
  readonly place: PageContext
  readonly institution: string
  /** What opens the change: the key of the link, or the token of the session. */
  readonly by: { readonly key: string } | { readonly csrfToken: string }
  readonly length: PasswordLength
  readonly fault: AccountError | null
}

/** The page to set a new password. */
export function renderPasswordPage({
  place: context,
  institution,
  by,
  length,
  fault: validationError,
}: PasswordView): string {
  const { account } = messagesIn(context.locale)
  const isNew = { type: 'password', autocomplete: 'new-password', fault: validationError !== null } as const
  const old = { id: 'old', name: 'old_password', label: account.oldPassword, type: 'password' } as const
  return frame(context, {
    institution,
    title: account.changePassword,
    hasFaults: validationError !== null,
    main: html`${summary(context, validationError)}
<h2>${account.changePassword}</h2>
<form class="part" method="post" action="${getAddress(context)}">
${
  'key' in by
    ? html`<input type="hidden" name="key" value="${by.key}">`
    : html`<input type="hidden" name="csrf_token" value="${by.csrfToken}">
${field({ ...old, autocomplete: 'current-password' })}`
}
${field({ ...isNew, id: 'new', name: 'new_password', label: account.newPassword, help: account.length(length.minimum, length.maximum) })}
${field({ ...isNew, id: 'again', name: 'again', label: account.again })}
<button class="main">${account.setPassword}</button>
</form>`,
  })
}

/** The page of somebody who is logged in. */
export interface AccountView {
  readonly place: PageContext
  readonly institution: string
  readonly fullName: string
  readonly user: string
  readonly csrfToken: string
  /** Whether a new password was set just now. */
  readonly isPasswordSet: boolean
  /** The page to change the password, from the root. */
  readonly passwordPath: string
  /** The page with the ways to log in and the sessions, from the root. */
  readonly signInPath: string
}

/** The page that says who is logged in, with the ways to change the password and to log out. */
export function renderAccountPage(view: AccountView): string {
  const { place: context, institution, fullName, user, csrfToken, isPasswordSet, passwordPath, signInPath } = view
  const { account, signIn } = messagesIn(context.locale)
  return frame(context, {
    institution,
    title: fullName,
    main: html`${isPasswordSet ? html`<p class="sent" role="status">${account.isSet}</p>` : nothing}
<h2>${fullName}</h2>
<p class="lead">${account.loggedInAs(fullName, user)}</p>
<p><a href="${getAddress({ ...context, path: passwordPath })}">${account.changePassword}</a></p>
<p><a href="${getAddress({ ...context, path: signInPath })}">${signIn.title}</a></p>
<form method="post" action="${getAddress(context)}"><input type="hidden" name="csrf_token" value="${csrfToken}">
<button class="main">${account.logOut}</button></form>`,
  })
}

function summary(context: PageContext, validationError: AccountError | null): Html {
  return validationError === null ? nothing : errorSummary(context.locale, [errorText(context.locale, validationError)])
}
