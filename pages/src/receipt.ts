import { formatMoment } from './formats.ts'
import { frame, getAddress } from './frame.ts'
import { html, nothing } from './html.ts'
import { messagesIn } from './messages/index.ts'
import type { RequestView } from './requests/request-view.ts'

/** What a family keeps when its documents were sent. */
export interface ReceiptView extends Pick<RequestView, 'place' | 'institution' | 'firstName' | 'timeZone' | 'contact'> {
  /** The student or the applicant, whole, and the code: it is shown to others as a proof. */
  readonly forWhom: string
  readonly submittedAt: string
  readonly reference: string
  readonly items: readonly { readonly label: string; readonly fileName: string; readonly receivedAt: string }[]
}

/** The receipt of a request: for whom, what arrived, and when, in the institution's time zone. */
export function renderReceipt(view: ReceiptView): string {
  const { place: context, institution, firstName, forWhom, submittedAt, timeZone, reference } = view
  const { receipt, request, form, page } = messagesIn(context.locale)
  const moment = (stamp: string) => receipt.received(formatMoment(context.locale, stamp, timeZone))
  const lines = view.items.map(
    ({ label, fileName, receivedAt }) =>
      html`<div><dt>${label}</dt><dd>${fileName}</dd><dd>${moment(receivedAt)}</dd></div>`,
  )
  return frame(context, {
    institution,
    title: receipt.title,
    foot: view.contact === null ? nothing : html`<p>${request.questions(view.contact)}</p>`,
    main: html`<h2>${receipt.title}</h2>
<p class="lead done">${receipt.thanks(firstName, institution)}</p>
<p><strong>${form.forWhom(forWhom)}</strong></p>
<p>${moment(submittedAt)}<br><span class="quiet">${receipt.reference(reference)}</span></p>
<h3>${receipt.documents}</h3>
<dl>${lines}</dl>
<p>${receipt.next}</p>
<p class="quiet">${page.print}</p>
<p class="back"><a href="${getAddress(context)}">${receipt.back}</a></p>`,
  })
}
