import { errorSummary } from '../error-summary.ts'
import { frame, getAddress, type PageContext } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { messagesIn } from '../messages/index.ts'
import { type AccountError, errorText } from './account-error.ts'
import { field, goesToField } from './account-field.ts'

interface CodeView {
  readonly place: PageContext
  readonly institution: string
  readonly fault: AccountError | null
}

/** The page that asks for a one-time code after the password. */
export function renderCodePage(view: CodeView & { readonly goesTo: string | null }): string {
  const { place: context, goesTo } = view
  const { signIn } = messagesIn(context.locale)
  return page(
    view,
    signIn.askCode,
    html`<form class="part" method="post" action="${getAddress(context)}">
${goesToField(goesTo)}
${codeField(view, signIn.askCodeHelp)}
<button class="main">${signIn.goOn}</button></form>`,
  )
}

/** The page on which somebody sets up one-time codes. */
export function renderCodeSetUpPage(
  view: CodeView & {
    readonly csrfToken: string
    readonly goesTo: string | null
    /** Whether codes of before are asked for, which these replace. */
    readonly isCodeAsked: boolean
    /** The secret in base32, as it is typed. */
    readonly secret: string
    /** The secret as it comes back with the form. */
    readonly sealed: string
    /** The dark modules of the QR code (ISO/IEC 18004), by rows. */
    readonly picture: readonly (readonly boolean[])[]
  },
): string {
  const { place: context, csrfToken, goesTo, isCodeAsked, secret, sealed, picture } = view
  const { signIn } = messagesIn(context.locale)
  return page(
    view,
    signIn.setUpCodes,
    html`<p>${signIn.scan}</p>
<p>${drawn(picture, signIn.picture)}</p>
<p>${signIn.orType} <strong>${secret.match(/.{1,4}/g)?.join(' ') ?? ''}</strong></p>
<form class="part" method="post" action="${getAddress(context)}">
<input type="hidden" name="csrf_token" value="${csrfToken}"><input type="hidden" name="sealed" value="${sealed}">${goesToField(goesTo)}
${codeField(view)}
${isCodeAsked ? field({ id: 'before', name: 'before', label: signIn.codeFirst, type: 'text', autocomplete: 'one-time-code' }) : nothing}
<button class="main">${signIn.turnOn}</button></form>`,
  )
}

/** The page that shows recovery codes, once. */
export function renderRecoveryCodes(
  view: CodeView & { readonly codes: readonly string[]; readonly nextAddress: string },
): string {
  const { place: context, codes, nextAddress } = view
  const { signIn } = messagesIn(context.locale)
  return page(
    view,
    signIn.recovery,
    html`<p>${signIn.recoveryHelp}</p>
<ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a href="${nextAddress}">${signIn.kept}</a></p>`,
  )
}

function page({ place: context, institution, fault: validationError }: CodeView, title: string, main: Html): string {
  return frame(context, {
    institution,
    title,
    hasFaults: validationError !== null,
    main: html`${validationError === null ? nothing : errorSummary(context.locale, [errorText(context.locale, validationError)])}
<h2>${title}</h2>
${main}`,
  })
}

function codeField({ place: context, fault: validationError }: CodeView, help?: string): Html {
  return field({
    ...{
      id: 'code',
      name: 'code',
      label: messagesIn(context.locale).signIn.code,
      type: 'text',
      autocomplete: 'one-time-code',
    },
    ...(help !== undefined && { help }),
    fault: validationError !== null,
  })
}

/** A QR code with the quiet zone of four modules that it needs, dark on light whatever the colours of the page are. */
function drawn(picture: readonly (readonly boolean[])[], label: string): Html {
  const size = picture.length + 8
  const dark = picture.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : [])))
  return html`<svg width="240" height="240" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">
<rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`
}
