import { type FileLimits, findError } from './file-check.ts'
import { announce, findDetail, language, phrase } from './phrases.ts'
import { Sending } from './sending.ts'

const retries = 6

/** The uploads of one item of the list: chosen, photographed or dropped; with progress, a way to cancel and to try again. */
export class ItemUpload {
  readonly item: HTMLElement
  readonly #ways: HTMLElement
  readonly #limits: FileLimits
  readonly #refresh: () => Promise<void>
  #sending: Sending | null = null

  constructor(item: HTMLElement, ways: HTMLElement, refresh: () => Promise<void>) {
    this.item = item
    this.#ways = ways
    this.#refresh = refresh
    const { types = '', limit } = ways.dataset
    this.#limits = { types: types.split(','), maxBytes: Number(limit) }
    for (const input of ways.querySelectorAll('input')) {
      input.addEventListener('change', () => {
        const [file] = input.files ?? []
        if (file !== undefined) this.#take(file)
      })
    }
    const hint = document.createElement('p')
    hint.className = 'drop quiet'
    hint.textContent = phrase('drop')
    ways.append(hint)
    this.#takeDrops()
  }

  /** Whether a file is on its way, so that the item must stay. */
  get isBusy(): boolean {
    return this.#sending !== null
  }

  #takeDrops(): void {
    const { item } = this
    item.addEventListener('dragover', (event) => {
      event.preventDefault()
      item.classList.add('over')
    })
    for (const end of ['dragleave', 'drop']) item.addEventListener(end, () => item.classList.remove('over'))
    item.addEventListener('drop', (event) => {
      event.preventDefault()
      const files = event.dataTransfer?.files
      if (files === undefined || files.length === 0) return
      if (files.length > 1) this.#refuse(phrase('onlyOne'))
      else this.#take(files[0] as File)
    })
  }

  #take(file: File): void {
    this.#sending?.cancel()
    const validationError = findError(file, this.#limits)
    if (validationError === null) void this.#send(file)
    else this.#refuse(validationError)
  }

  async #send(file: File): Promise<void> {
    const { name } = file
    const { box, text, bar } = this.#box()
    const form = this.#ways.querySelector('form') as HTMLFormElement
    const body = new FormData()
    body.append('file', file)
    const percent = new Intl.NumberFormat(language, { style: 'percent' })
    const show = (part: number) => {
      bar.value = part
      text.textContent =
        part < 1 ? phrase('sending', { name, percent: percent.format(part) }) : phrase('checking', { name })
    }
    show(0)
    announce(phrase('sending', { name, percent: percent.format(0) }))
    const sending = new Sending(form.action, body, {
      accept: 'application/json',
      retries,
      onProgress: show,
      onRetry: (seconds) => {
        text.textContent = phrase('retrying', { seconds: String(seconds) })
        announce(text.textContent)
      },
    })
    this.#sending = sending
    const hadFocusBefore = this.#ways.contains(document.activeElement)
    const cancel = box.appendChild(button(phrase('cancel'), () => sending.cancel()))
    this.#ways.hidden = true
    if (hadFocusBefore) cancel.focus({ preventScroll: true })
    const outcome = await sending.outcome
    if (this.#sending !== sending) return
    const hadFocus = document.activeElement === cancel
    this.#sending = null
    this.#clear()
    if (hadFocus) this.item.focus({ preventScroll: true })
    if (outcome.kind !== 'answered') {
      if (outcome.kind === 'lost') this.#refuse(phrase('lost', { name }), file)
      else announce(phrase('cancelled'))
      // It may have arrived all the same.
      return this.#refresh()
    }
    if (outcome.status >= 300) return this.#refuse(findDetail(outcome.text) ?? phrase('failed', { name }))
    announce(phrase('sent', { name }))
    this.#showArrived(phrase('sent', { name }))
    await this.#refresh()
  }

  /** Shows what the service said until the page shows it too, which may be later than the network is lost. */
  #showArrived(text: string): void {
    const line = document.createElement('p')
    line.className = 'done'
    line.textContent = text
    const box = document.createElement('div')
    box.className = 'upload'
    box.append(line)
    this.#ways.before(box)
    this.#ways.hidden = true
  }

  /** Says why not; with the file, offers to send it again. */
  #refuse(reason: string, file?: File): void {
    this.#clear()
    const line = document.createElement('p')
    line.className = 'fault'
    line.textContent = reason
    const box = document.createElement('div')
    box.className = 'upload'
    box.append(line)
    if (file !== undefined) box.append(button(phrase('again'), () => this.#take(file)))
    this.#ways.before(box)
    announce(reason)
  }

  #box(): { box: HTMLElement; text: HTMLElement; bar: HTMLProgressElement } {
    this.#clear()
    const box = document.createElement('div')
    box.className = 'upload'
    const text = document.createElement('p')
    const bar = document.createElement('progress')
    bar.setAttribute('aria-label', this.item.querySelector('h3')?.textContent ?? '')
    box.append(text, bar)
    this.#ways.before(box)
    return { box, text, bar }
  }

  /** Takes away what was said of an earlier try, also by the service. */
  #clear(): void {
    for (const old of this.item.querySelectorAll('.upload, .fault')) old.remove()
    for (const input of this.#ways.querySelectorAll('input')) {
      input.removeAttribute('aria-invalid')
      input.value = ''
    }
    this.#ways.hidden = false
  }
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.addEventListener('click', onClick)
  return made
}
