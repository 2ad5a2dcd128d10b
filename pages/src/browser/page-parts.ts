import { announce, phrase } from './phrases.ts'

const refreshMilliseconds = 30_000

/** How soon the page is asked for again when it could not be had. */
const againMilliseconds = 3_000

/**
 * Keeps the parts of a page (`data-part`) as the service shows them: asked for again after an upload, when the page comes
 * back into sight, and every half minute while it is seen. A part that is held, because something goes on in it, waits.
 */
export class PageParts {
  readonly #onReplaced: (part: HTMLElement) => void
  readonly #isHeld: (part: HTMLElement) => boolean
  /** The parts as they came from the service, before a script touched them. */
  #seen: Map<string, string>
  #pending: Promise<void> | null = null
  #timer: number | undefined

  /** To be made before anything changes the page. */
  constructor(onReplaced: (part: HTMLElement) => void, isHeld: (part: HTMLElement) => boolean) {
    this.#onReplaced = onReplaced
    this.#isHeld = isHeld
    this.#seen = htmlOfParts(document)
    setInterval(this.#refreshInSight, refreshMilliseconds)
    addEventListener('focus', this.#refreshInSight)
    addEventListener('online', this.#refreshInSight)
    document.addEventListener('visibilitychange', this.#refreshInSight)
  }

  readonly #refreshInSight = (): void => {
    if (document.visibilityState === 'visible') void this.refresh(true)
  }

  /** Asks for the page and puts in what is new; says so when the visitor did not do it. */
  refresh(isAnnounced: boolean): Promise<void> {
    this.#pending ??= this.#load(isAnnounced)
      // Without a network the page stays as it is, and is asked for again soon.
      .catch(() => {
        clearTimeout(this.#timer)
        this.#timer = setTimeout(this.#refreshInSight, againMilliseconds)
      })
      .finally(() => {
        this.#pending = null
      })
    return this.#pending
  }

  async #load(isAnnounced: boolean): Promise<void> {
    const response = await fetch(pageAddress(), { headers: { accept: 'text/html' }, cache: 'no-store' })
    if (response.status === 404 || response.status === 410) return location.reload()
    if (!response.ok) throw new Error(`the page answered ${response.status}`)
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
    const parts = htmlOfParts(fresh)
    if ([...parts.keys()].join() !== [...this.#seen.keys()].join()) return location.reload()
    let isChanged = false
    for (const [name, html] of parts) {
      const part = document.querySelector<HTMLElement>(`[data-part="${name}"]`)
      if (part === null || html === this.#seen.get(name) || this.#isHeld(part)) continue
      this.#seen.set(name, html)
      const next = fresh.querySelector<HTMLElement>(`[data-part="${name}"]`) as HTMLElement
      this.#replace(part, document.importNode(next, true))
      isChanged = true
    }
    if (isChanged && isAnnounced) announce(phrase('changed'))
  }

  #replace(part: HTMLElement, next: HTMLElement): void {
    const focused = part.contains(document.activeElement) ? document.activeElement : null
    part.replaceWith(next)
    this.#onReplaced(next)
    if (focused === null) return
    const same = focused.id === '' ? null : document.getElementById(focused.id)
    const target = same?.checkVisibility?.() ? same : next
    target.focus({ preventScroll: true })
  }
}

/** The request's own page, wherever below it a refusal was shown. */
function pageAddress(): string {
  return document.querySelector<HTMLElement>('[data-page]')?.dataset.page ?? location.href
}

function htmlOfParts(root: Document): Map<string, string> {
  const parts = [...root.querySelectorAll<HTMLElement>('[data-part]')]
  return new Map(parts.map((part) => [part.dataset.part as string, part.outerHTML]))
}
