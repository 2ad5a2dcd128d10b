import { frame, type PageContext } from '../frame.ts'
import { html } from '../html.ts'
import { messagesIn } from '../messages/index.ts'

/** A page for somebody whose institution requires more than a password, with the ways that suffice. */
export interface FactorView {
  readonly place: PageContext
  readonly institution: string
  /** What each is called, and where it begins, relative to the page. */
  readonly ways: readonly { readonly name: string; readonly address: string }[]
}

/** The page that leads to what an institution requires beside a password. */
export function renderFactorPage({ place: context, institution, ways }: FactorView): string {
  const { signIn } = messagesIn(context.locale)
  return frame(context, {
    institution,
    title: signIn.askCode,
    main: html`<h2>${signIn.askCode}</h2>
<p>${signIn.required(institution)}</p>
<ul>${ways.map(({ name, address }) => html`<li><a href="${address}">${name}</a></li>`)}</ul>
<p class="quiet">${signIn.requiredHelp(institution)}</p>`,
  })
}
