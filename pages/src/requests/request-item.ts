import { formatSize, typesText } from '../browser/file-words.ts'
import { getAddress } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { type Locale, messagesIn } from '../messages/index.ts'
import { isHandedIn, type RequestItemView, type RequestView } from './request-view.ts'

/** What an item takes, in words: `PDF, JPG or PNG, up to 20 MB`. */
export function limitsText(locale: Locale, item: Pick<RequestItemView, 'allowedMimeTypes' | 'maxSizeBytes'>): string {
  const size = formatSize(locale, item.maxSizeBytes)
  return messagesIn(locale).request.limits(typesText(locale, item.allowedMimeTypes), size)
}

/** One document of the list: what is asked for, where it stands, why it came back, and a way to send it. */
export function requestItem(view: RequestView, item: RequestItemView): Html {
  const { locale } = view.place
  const { request, page } = messagesIn(locale)
  const { id, status } = item
  const state = status === 'pending' && !item.isRequired ? request.notSent : request.states[status]
  const validationError = view.fault?.itemId === id ? view.fault.text : null
  return html`<li class="item ${status}${item.isRequired ? nothing : ' optional'}" id="item-${id}" data-part="item-${id}" tabindex="-1">
<div class="head"><h3>${item.label}</h3><p class="state">${state}</p></div>
<p class="quiet">${item.isRequired ? page.required : page.optional}${item.fileName === null ? nothing : html` · ${request.file(item.fileName)}`}</p>
${item.instructions === '' ? nothing : html`<p class="text">${item.instructions}</p>`}
${status === 'rejected' && item.rejectionReason ? html`<p class="reason">${request.reason(item.rejectionReason)}</p>` : nothing}
${validationError === null ? nothing : html`<p class="fault" id="fault-${id}">${validationError}</p>`}
${item.isOpen ? ways(view, item, validationError !== null) : nothing}
</li>
`
}

/** The forms of an item; where a file is there already, behind a line that opens. */
function ways(view: RequestView, item: RequestItemView, hasError: boolean): Html {
  const forms = html`${way(view, item, 'file', hasError)}${takesPhotos(item) ? way(view, item, 'photo', hasError) : nothing}`
  const limits = html`<p class="quiet" id="limits-${item.id}">${limitsText(view.place.locale, item)}</p>`
  const { replace, remove } = messagesIn(view.place.locale).request
  const content = html`${limits}<div class="ways" data-upload="${item.id}" data-types="${item.allowedMimeTypes.join(',')}" data-limit="${item.maxSizeBytes}">${forms}</div>`
  if (!isHandedIn(item.status)) return content
  return html`<details${hasError ? html` open` : nothing}><summary>${replace}</summary>${content}<form class="remove" method="post" action="${getAddress(view.place, `/items/${item.id}/remove`)}"><button>${remove}<span class="hidden">${item.label}</span></button></form></details>`
}

/** A form that sends one file: any, or with a phone's camera. Each works by itself, so that no script is needed. */
function way(view: RequestView, item: RequestItemView, kind: 'file' | 'photo', hasError: boolean): Html {
  const { request } = messagesIn(view.place.locale)
  const field = `${kind}-${item.id}`
  const accept = kind === 'file' ? item.allowedMimeTypes.join(',') : photoTypes(item).join(',')
  const [whole, short] =
    kind === 'file'
      ? [request.choose(item.label), request.chooseShort]
      : [request.photo(item.label), request.photoShort]
  const described = `limits-${item.id}${hasError ? ` fault-${item.id}` : ''}`
  const invalid = hasError && kind === 'file' ? html` aria-invalid="true"` : nothing
  const capture = kind === 'photo' ? html` capture="environment"` : nothing
  return html`<form class="${kind}" method="post" enctype="multipart/form-data" action="${getAddress(view.place, `/items/${item.id}`)}">
<label for="${field}"><span class="whole">${whole}</span><span class="short" aria-hidden="true">${short}</span></label>
<input type="file" name="file" id="${field}" accept="${accept}"${capture} aria-describedby="${described}"${invalid} required>
<button>${request.send}<span class="hidden">${item.label}</span></button>
</form>
`
}

function photoTypes(item: RequestItemView): string[] {
  return item.allowedMimeTypes.filter((type) => type.startsWith('image/'))
}

function takesPhotos(item: RequestItemView): boolean {
  return item.allowedMimeTypes.includes('image/jpeg')
}
