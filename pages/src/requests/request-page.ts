import { errorSummary } from '../error-summary.ts'
import { formatDay, formatList, formatMoment } from '../formats.ts'
import { frame, getAddress } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { messagesIn } from '../messages/index.ts'
import { requestItem } from './request-item.ts'
import { isHandedIn, missingItems, type RequestView } from './request-view.ts'

/** The page of a document request: every document with its state, a way to send each, and one to finish. */
export function renderRequestPage(view: RequestView): string {
  const { place: context, institution, items, fault: validationError } = view
  const { request, script } = messagesIn(context.locale)
  const title = view.title === '' ? request.fallbackTitle : view.title
  const validationErrors =
    validationError === null
      ? []
      : [
          {
            text: validationError.text,
            label: items.find(({ id }) => id === validationError.itemId)?.label ?? null,
            target: validationError.itemId === null ? 'finish' : `file-${validationError.itemId}`,
          },
        ]
  return frame(context, {
    institution,
    title,
    hasFaults: validationError !== null,
    script: { module: 'request-page', data: script },
    foot: view.contact === null ? nothing : html`<p>${request.questions(view.contact)}</p>`,
    main: html`${errorSummary(context.locale, validationErrors)}
<h2>${title}</h2>
<p class="lead">${request.greeting(view.firstName)}</p>
<p>${request.intro}</p>
${view.message === '' ? nothing : html`<blockquote class="text">${view.message}</blockquote>`}
${standing(view)}
<ul class="items" aria-label="${request.documents}" data-page="${getAddress(context)}">
${items.map((item) => requestItem(view, item))}</ul>
${finish(view)}
<p class="hidden" id="live" role="status"></p>`,
  })
}

/** How far it has come, and until when. */
function standing({ place: context, items, expiresAt, submittedAt, timeZone }: RequestView): Html {
  const { request } = messagesIn(context.locale)
  const required = items.filter(({ isRequired }) => isRequired)
  const done = required.filter(({ status }) => isHandedIn(status)).length
  const progress = request.progress(done, required.length)
  const sent =
    submittedAt === null
      ? nothing
      : html`<p class="sent">${request.submitted(formatMoment(context.locale, submittedAt, timeZone))} <a href="${getAddress(context, '/receipt')}">${request.seeReceipt}</a></p>`
  const bar =
    required.length === 0
      ? nothing
      : html`<p id="standing">${progress}</p><progress max="${required.length}" value="${done}" aria-labelledby="standing"></progress>`
  return html`<div class="standing" data-part="standing">${sent}${bar}
<p class="quiet">${request.openUntil(formatDay(context.locale, expiresAt, timeZone))}</p></div>`
}

/** The way to send everything; until it is possible it says why not. */
function finish(view: RequestView): Html {
  const { place: context, items, canSubmit, fault: validationError } = view
  const { request } = messagesIn(context.locale)
  const missing = missingItems(items).map(({ label }) => label)
  if (!canSubmit && missing.length === 0) return html`<div data-part="finish" id="finish" tabindex="-1"></div>`
  const reason = canSubmit ? request.finishHint : request.missing(formatList(context.locale, missing))
  const rejected =
    validationError !== null && validationError.itemId === null
      ? html`<p class="fault">${validationError.text}</p>`
      : nothing
  const disabled = canSubmit ? nothing : html` aria-disabled="true"`
  return html`<section class="finish" data-part="finish" id="finish" tabindex="-1" aria-labelledby="finish-title">
<h2 id="finish-title">${request.finish}</h2>
${rejected}<p id="finish-reason">${reason}</p>
<form class="submit" method="post" action="${getAddress(context, '/submit')}"><button class="main" aria-describedby="finish-reason"${disabled}>${request.submit}</button></form>
</section>`
}
