import { formatMoment } from './formats.ts'
import { addressOf, frame } from './frame.ts'
import { html, nothing } from './html.ts'
import { isHandedIn, type RequestView } from './request-view.ts'
import { wordsIn } from './words/index.ts'

/** What a family keeps when its documents were sent: what arrived, and when. */
export function renderReceipt(
  view: RequestView & { readonly submittedAt: string; readonly reference: string },
): string {
  const { place, institution, firstName, submittedAt, timeZone, reference } = view
  const { receipt, request, page } = wordsIn(place.locale)
  const handedIn = view.items.filter(({ status }) => isHandedIn(status))
  const lines = handedIn.map(
    ({ label, fileName }) => html`<div><dt>${label}</dt><dd>${fileName ?? request.states.uploaded}</dd></div>`,
  )
  return frame(place, {
    institution,
    title: receipt.title,
    foot: view.contact === null ? nothing : html`<p>${request.questions(view.contact)}</p>`,
    main: html`<h2>${receipt.title}</h2>
<p class="lead done">${receipt.thanks(firstName, institution)}</p>
<p>${receipt.received(formatMoment(place.locale, submittedAt, timeZone))}<br><span class="quiet">${receipt.reference(reference)}</span></p>
<h3>${receipt.documents}</h3>
<dl>${lines}</dl>
<p>${receipt.next}</p>
<p class="quiet">${page.print}</p>
<p><a href="${addressOf(place)}">${receipt.back}</a></p>`,
  })
}
