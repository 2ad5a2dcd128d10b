import { formatMoment } from './formats.ts'
import { frame, type PagePlace } from './frame.ts'
import { html } from './html.ts'
import { wordsIn } from './words/index.ts'

/** What whoever sent a form keeps. */
export interface FormReceiptView {
  readonly place: PagePlace
  readonly institution: string
  readonly title: string
  readonly timeZone: string
  readonly submittedAt: string
  readonly reference: string
}

/** Says that a form arrived, when, and under which reference. It shows no answers, since its address may be passed on. */
export function renderFormReceipt(view: FormReceiptView): string {
  const { place, institution, title, submittedAt, timeZone, reference } = view
  const { form, receipt, page } = wordsIn(place.locale)
  return frame(place, {
    institution,
    title: form.receiptTitle,
    main: html`<h2>${form.receiptTitle}</h2>
<p class="lead done">${form.thanks(institution)}</p>
<dl><div><dt>${title}</dt><dd>${receipt.received(formatMoment(place.locale, submittedAt, timeZone))}</dd></div></dl>
<p>${receipt.reference(reference)}</p>
<p class="quiet">${page.print}</p>`,
  })
}
