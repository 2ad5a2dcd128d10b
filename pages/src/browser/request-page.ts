import { ItemUpload } from './item-upload.ts'
import { PageParts } from './page-parts.ts'
import { announce, phrase } from './phrases.ts'
import { goOn, sendInPlace } from './sent-in-place.ts'

const uploads = new Map<string, ItemUpload>()

const parts = new PageParts(enhance, (part) => uploads.get(part.id)?.isBusy ?? false)

/** Makes a part of the page live: uploads of an item and their removal, or the button that waits for everything to be there. */
function enhance(part: HTMLElement): void {
  const ways = part.querySelector<HTMLElement>('[data-upload]')
  if (ways === null) uploads.delete(part.id)
  else uploads.set(part.id, new ItemUpload(part, ways, () => parts.refresh(false)))
  const remove = part.querySelector<HTMLFormElement>('form.remove')
  if (remove !== null) sendInPlace(remove, { lost: phrase('removeLost'), onDone: () => parts.refresh(false) })
  const submit = part.querySelector<HTMLFormElement>('form.submit')
  if (submit !== null) sendInPlace(submit, { lost: phrase('submitLost'), onDone: (goTo) => goOn(submit, goTo) })
  const waiting = part.querySelector<HTMLElement>('button[aria-disabled="true"]')
  waiting?.addEventListener('click', (event) => {
    event.preventDefault()
    announce(document.getElementById('finish-reason')?.textContent ?? '')
  })
}

document.documentElement.classList.add('script')
for (const part of document.querySelectorAll<HTMLElement>('[data-part]')) enhance(part)
// A file that misses its item must not replace the page.
for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault())
