import { findError } from './file-check.ts'
import { announce, language, phrase } from './phrases.ts'
import { Sending } from './sending.ts'
import { goOn } from './sent-in-place.ts'
import { isVisible, type VisibleWhen } from './visible-when.ts'

const form = document.querySelector<HTMLFormElement>('form.whole-form')
if (form !== null) enhance(form)

function enhance(whole: HTMLFormElement): void {
  document.documentElement.classList.add('script')
  showWhatApplies(whole)
  whole.addEventListener('input', () => showWhatApplies(whole))
  whole.addEventListener('change', () => showWhatApplies(whole))
  // Older browsers do not say by which button a form is sent, and saving must never become sending.
  let pressed = whole.querySelector('button.main') as HTMLButtonElement
  for (const button of whole.querySelectorAll('button')) button.addEventListener('click', () => (pressed = button))
  whole.addEventListener('submit', (event) => {
    event.preventDefault()
    if (filesAreSound(whole)) void submit(whole, pressed)
  })
}

/** Hides each question whose condition does not hold; its control is not sent then. Questions look at earlier ones only. */
function showWhatApplies(whole: HTMLFormElement): void {
  for (const field of whole.querySelectorAll<HTMLElement>('[data-when]')) {
    const when = JSON.parse(field.dataset.when as string) as VisibleWhen
    const isPut = isVisible(when, (key) => answersOf(whole, key))
    field.hidden = !isPut
    for (const control of getControls(field)) control.disabled = !isPut
  }
}

function answersOf(whole: HTMLFormElement, key: string): string[] {
  const field = whole.querySelector<HTMLElement>(`[data-field="${key}"]`)
  if (field === null || field.hidden) return []
  const controls = getControls(field)
  const [first] = controls
  if (first instanceof HTMLInputElement && first.type === 'checkbox') {
    return controls.filter((box) => (box as HTMLInputElement).checked).map(({ value }) => value)
  }
  return controls.map(({ value }) => value).filter((value) => value.trim() !== '')
}

function getControls(field: HTMLElement): (HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement)[] {
  return [...field.querySelectorAll<HTMLInputElement>('input, select, textarea')]
}

/** Looks at the chosen files before they travel, and says what is wrong with them. */
function filesAreSound(whole: HTMLFormElement): boolean {
  let first: HTMLElement | null = null
  for (const input of whole.querySelectorAll<HTMLInputElement>('input[type="file"]:enabled')) {
    const limits = {
      types: input.accept === '' ? [] : input.accept.split(','),
      maxBytes: Number(input.dataset.limit ?? Number.POSITIVE_INFINITY),
    }
    const validationError = [...(input.files ?? [])]
      .map((file) => findError(file, limits))
      .find((found) => found !== null)
    showError(input.closest<HTMLElement>('[data-field]') as HTMLElement, validationError ?? null)
    if (validationError) first ??= input
  }
  first?.focus()
  return first === null
}

/** Sends the form without leaving the page, so that what was typed and chosen stays when something is wrong. */
async function submit(whole: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  if (whole.querySelector('button[aria-disabled="true"]') !== null) return
  button.setAttribute('aria-disabled', 'true')
  const text = button.textContent as string
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const body = new FormData(whole)
  if (button.name !== '') body.append(button.name, button.value)
  const sending = new Sending(whole.action, body, {
    accept: 'text/html',
    retries: 3,
    onProgress: (part) => {
      button.textContent = `${text} (${percent.format(part)})`
    },
    onRetry: (seconds) => announce(phrase('retrying', { seconds: String(seconds) })),
  })
  const outcome = await sending.outcome
  button.removeAttribute('aria-disabled')
  button.textContent = text
  if (outcome.kind !== 'answered') return showProblem(whole, phrase('formLost'))
  if (outcome.status < 300) return goOn(whole, outcome.address, phrase(button.name === 'save' ? 'saved' : 'arrived'))
  const response = new DOMParser().parseFromString(outcome.text, 'text/html')
  const summary = response.getElementById('problems')
  // Whatever is no refusal of answers is a page of its own, of which the reason is said; what was typed stays.
  if (summary === null)
    return showProblem(whole, response.querySelector('main .lead')?.textContent ?? phrase('formLost'))
  takeErrors(whole, response, summary)
}

/** Puts in the faults that the service found, where they belong, and leaves every answer as it is. */
function takeErrors(whole: HTMLFormElement, response: Document, summary: HTMLElement): void {
  for (const field of whole.querySelectorAll<HTMLElement>('[data-field]')) {
    const found = response.querySelector(`[data-field="${field.dataset.field}"] .fault`)
    showError(field, found?.textContent ?? null)
  }
  const own = document.importNode(summary, true)
  document.getElementById('problems')?.remove()
  document.getElementById('content')?.prepend(own)
  document.title = response.title
  own.focus()
}

function showError(field: HTMLElement, text: string | null): void {
  const id = `fault-${field.dataset.field}`
  document.getElementById(id)?.remove()
  const [control] = getControls(field)
  if (control === undefined) return
  const others = (control.getAttribute('aria-describedby') ?? '').split(' ').filter((other) => other && other !== id)
  control.setAttribute('aria-describedby', [...others, ...(text === null ? [] : [id])].join(' '))
  if (control.getAttribute('aria-describedby') === '') control.removeAttribute('aria-describedby')
  control.toggleAttribute('aria-invalid', false)
  if (text === null) return
  control.setAttribute('aria-invalid', 'true')
  const line = document.createElement('p')
  line.className = 'fault'
  line.id = id
  line.textContent = text
  const box = control.closest('.choice') ?? control
  box.before(line)
}

function showProblem(whole: HTMLFormElement, text: string): void {
  whole.querySelector('.lost')?.remove()
  const line = document.createElement('p')
  line.className = 'fault lost'
  line.textContent = text
  whole.querySelector('button.main')?.before(line)
  announce(text)
}
