import { faultSummary } from '../error-summary.ts'
import { addressOf, frame, type PagePlace } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { wordsIn } from '../messages/index.ts'
import { type AccountFault, faultInWords } from './account-error.ts'
import { field, goesToField } from './account-field.ts'

interface PasskeyView {
  readonly place: PagePlace
  readonly institution: string
  readonly fault: AccountFault | null
  /** What the browser asks the device, as JSON of Web Authentication. */
  readonly options: unknown
  /** The page where one goes without a passkey, from the root. */
  readonly otherPath: string
}

/** The page on which somebody logs in with a passkey. It asks for it at once, unless something went wrong. */
export function renderPasskeyPage(view: PasskeyView & { readonly goesTo: string | null }): string {
  const { place, goesTo, fault } = view
  const { account, passkeys } = wordsIn(place.locale)
  return page(view, {
    ...{ title: passkeys.logIn, does: 'get', isAtOnce: fault === null, other: account.logIn },
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
  const { place, csrfToken, goesTo, sealed, name } = view
  const { passkeys, signIn } = wordsIn(place.locale)
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
function page({ place, institution, fault, options, otherPath }: PasskeyView, parts: PageParts): string {
  const { passkeys } = wordsIn(place.locale)
  const { title, does, isAtOnce, fields, button, other } = parts
  // Where no device would answer, nothing is asked of one.
  const isPossible = !(fault?.kind === 'passkey' && fault.reason === 'insecure')
  const asks = html`<p id="unavailable">${passkeys.unavailable}</p>
<form class="part" method="post" action="${addressOf(place)}" id="passkey" hidden>
${fields}
<input type="hidden" name="answer" value="">
<p class="fault" role="alert" id="failed" hidden></p>
<button class="main">${button}</button></form>`
  return frame(place, {
    institution,
    title,
    hasFaults: fault !== null,
    main: html`${fault === null ? nothing : faultSummary(place.locale, [faultInWords(place.locale, fault)])}
<h2>${title}</h2>
<p>${passkeys.about}</p>
${isPossible ? asks : nothing}
<p><a href="${addressOf({ ...place, path: otherPath })}">${other}</a></p>`,
    ...(isPossible && { script: { module: 'passkey', data: { does, isAtOnce, options, ...passkeys.script } } }),
  })
}
