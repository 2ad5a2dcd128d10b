import { errorSummary } from '../error-summary.ts'
import { frame, getAddress, type PageContext } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { messagesIn } from '../messages/index.ts'
import { type AccountError, errorText } from './account-error.ts'
import { field, goesToField } from './account-field.ts'

interface PasskeyView {
  readonly place: PageContext
  readonly institution: string
  readonly fault: AccountError | null
  /** What the browser asks the device, as JSON of Web Authentication. */
  readonly options: unknown
  /** The page where one goes without a passkey, from the root. */
  readonly otherPath: string
}

/** The page on which somebody logs in with a passkey. It asks for it at once, unless something went wrong. */
export function renderPasskeyPage(view: PasskeyView & { readonly goesTo: string | null }): string {
  const { place: context, goesTo, fault: validationError } = view
  const { account, passkeys } = messagesIn(context.locale)
  return page(view, {
    ...{ title: passkeys.logIn, does: 'get', isAtOnce: validationError === null, other: account.logIn },
    fields: goesToField(goesTo),
    button: passkeys.use,
  })
}

/** The page on which somebody who is logged in makes a passkey. */
export function renderPasskeySetUpPage(
  view: PasskeyView & {
    readonly csrfToken: string
    readonly goesTo: string | null
    /** The challenge as it comes back with the form. */
    readonly sealed: string
    readonly name: string
  },
): string {
  const { place: context, csrfToken, goesTo, sealed, name } = view
  const { passkeys, signIn } = messagesIn(context.locale)
  const { nameOf: label, nameHelp: help } = passkeys
  return page(view, {
    ...{ title: passkeys.add, does: 'create', isAtOnce: false, other: signIn.back },
    fields: html`<input type="hidden" name="csrf_token" value="${csrfToken}"><input type="hidden" name="sealed" value="${sealed}">${goesToField(goesTo)}
${field({ id: 'name', name: 'name', label, help, type: 'text', autocomplete: 'off', value: name, longest: 60 })}`,
    button: passkeys.add,
  })
}

interface PageParts {
  readonly title: string
  readonly does: 'get' | 'create'
  readonly isAtOnce: boolean
  readonly fields: Html
  readonly button: string
  /** What leads to the other page. */
  readonly other: string
}

/** Without a script, or a browser that knows passkeys, the form stays away and a sentence says why. */
function page(
  { place: context, institution, fault: validationError, options, otherPath }: PasskeyView,
  parts: PageParts,
): string {
  const { passkeys } = messagesIn(context.locale)
  const { title, does, isAtOnce, fields, button, other } = parts
  // Where no device would answer, nothing is asked of one.
  const isPossible = !(validationError?.kind === 'passkey' && validationError.reason === 'insecure')
  const asks = html`<p id="unavailable">${passkeys.unavailable}</p>
<form class="part" method="post" action="${getAddress(context)}" id="passkey" hidden>
${fields}
<input type="hidden" name="answer" value="">
<p class="fault" role="alert" id="failed" hidden></p>
<button class="main">${button}</button></form>`
  return frame(context, {
    institution,
    title,
    hasFaults: validationError !== null,
    main: html`${validationError === null ? nothing : errorSummary(context.locale, [errorText(context.locale, validationError)])}
<h2>${title}</h2>
<p>${passkeys.about}</p>
${isPossible ? asks : nothing}
<p><a href="${getAddress({ ...context, path: otherPath })}">${other}</a></p>`,
    ...(isPossible && { script: { module: 'passkey', data: { does, isAtOnce, options, ...passkeys.script } } }),
  })
}
