import { formatNumber } from './formats.ts'
import { frame, type PageContext } from './frame.ts'
import { html, nothing } from './html.ts'
import { messagesIn } from './messages/index.ts'

/** Why there is nothing else to see: the key of what the page says. */
export type ClosedReason = 'expired' | 'revoked' | 'unknown' | 'too_many_requests' | 'unavailable' | 'refused'

/** Why there is nothing to see. */
export interface ClosedView {
  readonly place: PageContext
  readonly reason: ClosedReason
  /** Null unless the link is one that was given out. */
  readonly institution: string | null
  readonly contact: string | null
  /** Whole seconds until another try makes sense, when that is known. */
  readonly retryAfterSeconds: number | null
  /** One more sentence on this very case. */
  readonly detail: string | null
}

/** A page that says why there is nothing else, and what to do next: whom to ask, or how long to wait. */
export function renderClosedPage(view: ClosedView): string {
  const { place: context, reason, institution, contact, retryAfterSeconds, detail } = view
  const { closed } = messagesIn(context.locale)
  const { title, text } = closed[reason]
  const wait = retryAfterSeconds === null ? null : closed.wait(formatNumber(context.locale, retryAfterSeconds))
  const ask = institution === null ? closed.askNobody : closed.ask(institution)
  return frame(context, {
    institution,
    title,
    main: html`<div class="closed">
<${institution === null ? h1 : h2}>${title}</${institution === null ? h1 : h2}>
<p class="lead">${detail ?? text}</p>
${wait === null ? nothing : html`<p>${wait}</p>`}
<p>${ask}</p>
${contact === null ? nothing : html`<p>${closed.askContact(contact)}</p>`}
</div>`,
  })
}

const h1 = html`h1`
const h2 = html`h2`
