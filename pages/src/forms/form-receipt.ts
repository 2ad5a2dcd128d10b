import { formatMoment } from '../formats.ts'
import { frame, type PageContext } from '../frame.ts'
import { html, nothing } from '../html.ts'
import { messagesIn } from '../messages/index.ts'

/** What whoever sent a form keeps. */
export interface FormReceiptView {
  readonly place: PageContext
  readonly institution: string
  readonly title: string
  readonly timeZone: string
  readonly submittedAt: string
  readonly reference: string
  /** For whom it was sent, with the code; null for nobody in particular. */
  readonly forWhom: string | null
  readonly fileNames: readonly string[]
}

/**
 * Says that a form arrived, for whom, with which files, when, and under which reference. It shows no answers, since it is to be
 * shown to others.
 */
export function renderFormReceipt(view: FormReceiptView): string {
  const { place: context, institution, title, submittedAt, timeZone, reference, forWhom, fileNames } = view
  const { form, receipt, page } = messagesIn(context.locale)
  return frame(context, {
    institution,
    title: form.receiptTitle,
    main: html`<h2>${form.receiptTitle}</h2>
<p class="lead done">${form.thanks(institution)}</p>
${forWhom === null ? nothing : html`<p><strong>${form.forWhom(forWhom)}</strong></p>`}
<dl><div><dt>${title}</dt><dd>${receipt.received(formatMoment(context.locale, submittedAt, timeZone))}</dd>${fileNames.map((name) => html`<dd>${name}</dd>`)}</div></dl>
<p>${receipt.reference(reference)}</p>
<p class="quiet">${page.print}</p>`,
  })
}
