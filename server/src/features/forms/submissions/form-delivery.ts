import { controlName } from '@matricula/pages'
import type { ChangeContext } from '../../../changes/index.ts'
import type { Database } from '../../../database/index.ts'
import type { FilePart, Visit } from '../../../http/pages/public/index.ts'
import type { VaultFiles } from '../../documents/index.ts'
import type { FormError } from '../form-definition.ts'
import type { PublicForm } from '../pages/public-forms.ts'
import { discardFormFiles, type ReceivedFormFile, receiveFormFile } from './form-files.ts'

/** What a page sent: its answers as texts, and its files, each of which is a document already or a fault. */
export interface FormSending {
  readonly sessionKey: string
  readonly answers: ReadonlyMap<string, readonly string[]>
  readonly files: readonly ReceivedFormFile[]
  readonly fileFaults: readonly FormError[]
  /** The ids of documents that were saved with the form and are taken back. */
  readonly removed: readonly string[]
  /** Whether it is to be saved only, and not sent yet. */
  readonly isSaving: boolean
}

/** Reads a form part by part, and takes each file as it comes. When it does not arrive whole, its documents are put away. */
export async function readSending(
  vaultFiles: VaultFiles,
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  visit: Visit,
): Promise<FormSending> {
  let sessionKey = ''
  let isSaving = false
  const removed: string[] = []
  const answers = new Map<string, string[]>()
  const files: ReceivedFormFile[] = []
  const fileErrors: FormError[] = []
  try {
    for await (const part of visit.parts()) {
      const fieldKey = answeredKey(part.name)
      if (part.kind === 'text') {
        if (part.name === 'submission') sessionKey = part.text
        if (part.name === 'remove') removed.push(part.text)
        if (part.name === 'save') isSaving = true
        if (fieldKey !== null) addAnswer(answers, fieldKey, part.text)
      } else if (fieldKey !== null && part.fileName !== '') {
        const taken = await take(vaultFiles, database, context, form, files, fieldKey, part)
        if ('fault' in taken) fileErrors.push(taken.fault)
        else files.push(taken)
      }
    }
  } catch (error) {
    await discardFormFiles(database, context, files).catch(() => {}) // the sweep does it then
    throw error
  }
  return { sessionKey, answers, files, fileFaults: fileErrors, removed, isSaving }
}

function addAnswer(answers: Map<string, string[]>, fieldKey: string, text: string): void {
  const texts = answers.get(fieldKey)
  if (texts === undefined) answers.set(fieldKey, [text])
  else texts.push(text)
}

/** Takes a file, unless its question has all that it takes already. */
async function take(
  vaultFiles: VaultFiles,
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  files: readonly ReceivedFormFile[],
  fieldKey: string,
  { fileName, mimeType, bytes }: FilePart,
): ReturnType<typeof receiveFormFile> {
  const maximum = form.definition.fields.find(({ key }) => key === fieldKey)?.validation.maxItems ?? 1
  if (files.filter((file) => file.fieldKey === fieldKey).length >= maximum) {
    return { fault: { fieldKey, code: 'too_many', bounds: { maximum } } }
  }
  return receiveFormFile(vaultFiles, database, context, form, { fieldKey, fileName, mimeType }, bytes)
}

/** The key of the question that a part of a form answers, or null. */
function answeredKey(name: string): string | null {
  const prefix = controlName('')
  return name.startsWith(prefix) ? name.slice(prefix.length) : null
}
