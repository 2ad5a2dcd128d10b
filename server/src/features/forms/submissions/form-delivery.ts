import { controlName } from '@matricula/pages'
import type { ChangeContext } from '../../../changes/index.ts'
import type { Database } from '../../../database/index.ts'
import type { FilePart, Visit } from '../../../http/pages/public/index.ts'
import type { VaultFiles } from '../../documents/index.ts'
import type { FormError } from '../form-definition.ts'
import type { PublicForm } from '../pages/public-forms.ts'
import { discardFormFiles, type ReceivedFormFile, receiveFormFile } from './form-files.ts'

/** A form as the page posted it: answers as texts, and files, each of which is stored as a document or has an error. */
export interface PostedForm {
  readonly sessionKey: string
  readonly answers: ReadonlyMap<string, readonly string[]>
  readonly files: readonly ReceivedFormFile[]
  readonly fileErrors: readonly FormError[]
  /** The ids of saved documents that the user removed. */
  readonly removed: readonly string[]
  /** Whether the form is only saved as a draft. */
  readonly isSaving: boolean
}

/**
 * Reads a multipart form part by part and stores each file as it arrives. When the request ends early, the stored
 * documents are archived.
 */
export async function readPostedForm(
  vaultFiles: VaultFiles,
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  visit: Visit,
): Promise<PostedForm> {
  let sessionKey = ''
  let isSaving = false
  const removed: string[] = []
  const answers = new Map<string, string[]>()
  const files: ReceivedFormFile[] = []
  const fileErrors: FormError[] = []
  try {
    for await (const part of visit.parts()) {
      const fieldKey = findFieldKey(part.name)
      if (part.kind === 'text') {
        if (part.name === 'submission') sessionKey = part.text
        if (part.name === 'remove') removed.push(part.text)
        if (part.name === 'save') isSaving = true
        if (fieldKey !== null) addAnswer(answers, fieldKey, part.text)
      } else if (fieldKey !== null && part.fileName !== '') {
        const received = await receivePart(vaultFiles, database, context, form, files, fieldKey, part)
        if ('error' in received) fileErrors.push(received.error)
        else files.push(received)
      }
    }
  } catch (error) {
    await discardFormFiles(database, context, files).catch(() => {}) // the job `form-files` does it later
    throw error
  }
  return { sessionKey, answers, files, fileErrors, removed, isSaving }
}

function addAnswer(answers: Map<string, string[]>, fieldKey: string, text: string): void {
  const texts = answers.get(fieldKey)
  if (texts === undefined) answers.set(fieldKey, [text])
  else texts.push(text)
}

/** Stores a file, or returns the error `too_many` when its question has its maximum. */
async function receivePart(
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
    return { error: { fieldKey, code: 'too_many', bounds: { maximum } } }
  }
  return receiveFormFile(vaultFiles, database, context, form, { fieldKey, fileName, mimeType }, bytes)
}

/** The key of the question that a part of the form answers, or null. */
function findFieldKey(name: string): string | null {
  const prefix = controlName('')
  return name.startsWith(prefix) ? name.slice(prefix.length) : null
}
