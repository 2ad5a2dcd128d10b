import { faultSummary } from '../error-summary.ts'
import { formatDay, formatList, formatMoment } from '../formats.ts'
import { addressOf, frame } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { wordsIn } from '../messages/index.ts'
import { requestItem } from './request-item.ts'
import { isHandedIn, missingItems, type RequestView } from './request-view.ts'

/** The page of a document request: every document with its state, a way to send each, and one to finish. */
export function renderRequestPage(view: RequestView): string {
  const { place, institution, items, fault } = view
  const { request, script } = wordsIn(place.locale)
  const title = view.title === '' ? request.fallbackTitle : view.title
  const faults =
    fault === null
      ? []
      : [
          {
            text: fault.text,
            label: items.find(({ id }) => id === fault.itemId)?.label ?? null,
            target: fault.itemId === null ? 'finish' : `file-${fault.itemId}`,
          },
        ]
  return frame(place, {
    institution,
    title,
    hasFaults: fault !== null,
    script: { module: 'request-page', data: script },
    foot: view.contact === null ? nothing : html`<p>${request.questions(view.contact)}</p>`,
    main: html`${faultSummary(place.locale, faults)}
<h2>${title}</h2>
<p class="lead">${request.greeting(view.firstName)}</p>
<p>${request.intro}</p>
${view.message === '' ? nothing : html`<blockquote class="text">${view.message}</blockquote>`}
${standing(view)}
<ul class="items" aria-label="${request.documents}" data-page="${addressOf(place)}">
${items.map((item) => requestItem(view, item))}</ul>
${finish(view)}
<p class="hidden" id="live" role="status"></p>`,
  })
}

/** How far it has come, and until when. */
function standing({ place, items, expiresAt, submittedAt, timeZone }: RequestView): Html {
  const { request } = wordsIn(place.locale)
  const required = items.filter(({ isRequired }) => isRequired)
  const done = required.filter(({ status }) => isHandedIn(status)).length
  const progress = request.progress(done, required.length)
  const sent =
    submittedAt === null
      ? nothing
      : html`<p class="sent">${request.submitted(formatMoment(place.locale, submittedAt, timeZone))} <a href="${addressOf(place, '/receipt')}">${request.seeReceipt}</a></p>`
  const bar =
    required.length === 0
      ? nothing
      : html`<p id="standing">${progress}</p><progress max="${required.length}" value="${done}" aria-labelledby="standing"></progress>`
  return html`<div class="standing" data-part="standing">${sent}${bar}
<p class="quiet">${request.openUntil(formatDay(place.locale, expiresAt, timeZone))}</p></div>`
}

/** The way to send everything; until it is possible it says why not. */
function finish(view: RequestView): Html {
  const { place, items, canSubmit, fault } = view
  const { request } = wordsIn(place.locale)
  const missing = missingItems(items).map(({ label }) => label)
  if (!canSubmit && missing.length === 0) return html`<div data-part="finish" id="finish" tabindex="-1"></div>`
  const reason = canSubmit ? request.finishHint : request.missing(formatList(place.locale, missing))
  const refused = fault !== null && fault.itemId === null ? html`<p class="fault">${fault.text}</p>` : nothing
  const disabled = canSubmit ? nothing : html` aria-disabled="true"`
  return html`<section class="finish" data-part="finish" id="finish" tabindex="-1" aria-labelledby="finish-title">
<h2 id="finish-title">${request.finish}</h2>
${refused}<p id="finish-reason">${reason}</p>
<form class="submit" method="post" action="${addressOf(place, '/submit')}"><button class="main" aria-describedby="finish-reason"${disabled}>${request.submit}</button></form>
</section>`
}
