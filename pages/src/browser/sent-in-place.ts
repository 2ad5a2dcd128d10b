import { announce, findDetail, phrase } from './phrases.ts'
import { Sending } from './sending.ts'

const retries = 6

/** How soon a page that is to be shown next is asked for again when it could not be had. */
const againMilliseconds = 3_000

/** What became of a form that was sent without leaving its page. */
interface Sent {
  /** What is said when no answer came. */
  readonly lost: string
  /** It was done; the service would go on to this address. */
  readonly onDone: (goTo: string) => void | Promise<void>
}

/**
 * Sends a form that brings nothing but its address without leaving the page: again by itself where the connection is lost, and
 * with words where it was refused or no answer came.
 */
export function sendInPlace(form: HTMLFormElement, { lost, onDone }: Sent): void {
  let isBusy = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isBusy || form.querySelector('[aria-disabled="true"]') !== null) return
    isBusy = true
    say(form, null)
    const sending = new Sending(form.action, new FormData(form), {
      accept: 'application/json',
      retries,
      onProgress: () => {},
      onRetry: (seconds) => say(form, phrase('retrying', { seconds: String(seconds) }), 'quiet'),
    })
    void sending.outcome.then(async (outcome) => {
      isBusy = false
      say(form, null)
      if (outcome.kind !== 'answered') say(form, lost)
      else if (outcome.status >= 300) say(form, findDetail(outcome.text) ?? lost)
      else {
        const goTo = goToOf(outcome.text)
        if (goTo === null) say(form, lost)
        else await onDone(new URL(goTo, form.action).href)
      }
    })
  })
}

let next: ReturnType<typeof setTimeout> | undefined

/** Goes on to a page once it can be had; until then says what has become of what was sent. */
export async function goOn(form: HTMLFormElement, address: string, messages = phrase('arrived')): Promise<void> {
  clearTimeout(next)
  const status = await fetch(address, { cache: 'no-store' }).then(
    (response) => response.status,
    () => 0,
  )
  // A page that is not there says so itself.
  if ((status >= 200 && status < 300) || status === 404 || status === 410) return location.assign(address)
  say(form, messages, 'done')
  clearTimeout(next)
  next = setTimeout(() => void goOn(form, address, messages), againMilliseconds)
}

/** The address that an answer leads to; null where it is none of the service's, such as that of a network that asks for a log-in. */
function goToOf(text: string): string | null {
  try {
    const { goTo } = JSON.parse(text) as { goTo?: unknown }
    return typeof goTo === 'string' ? goTo : null
  } catch {
    return null
  }
}

/** Says something right before the form, in the place of what was said there. */
function say(form: HTMLFormElement, text: string | null, kind = 'fault'): void {
  form.parentElement?.querySelector(':scope > .said')?.remove()
  if (text === null) return
  const line = document.createElement('p')
  line.className = `${kind} said`
  line.textContent = text
  form.before(line)
  announce(text)
}
