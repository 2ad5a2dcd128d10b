import { file } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  defineRecord,
  isManager,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { filesSeenBy, isAttachedOrOwn, requireAttachable } from './attachments.ts'
import { discardStoredFile, findStoredFile } from './stored-files.ts'

type FileRecord = RecordOf<typeof file>

/** A record of a file names one that is kept here, whose facts it takes over, or one on the web. */
async function setFacts(document: FileRecord, work: RecordWork, before: FileRecord | null): Promise<void> {
  const url = document.file_url ?? ''
  if (before !== null && (url !== before.file_url || document.is_private !== before.is_private)) {
    throw new RecordError(
      'ValidationError',
      'The address of a file never changes. Upload it again and delete this one.',
    )
  }
  document.is_folder = 0
  document.folder ||= 'Home'
  if (/^https?:\/\/\S+$/i.test(url)) {
    document.file_name ||= url.split('/').at(-1)?.slice(0, 140) ?? null
    document.is_private = 0
    document.file_size = 0
    return
  }
  const stored = await findStoredFile(work.tx, url)
  if (stored === null) {
    // Whether there is a private file of this name is told to those alone who may read all of them.
    if (url.startsWith('/private/') && !isManager(work.caller)) throw strangersAddress()
    const text = `There is no file at ${JSON.stringify(url.slice(0, 140))}. Upload one by the method upload_file.`
    throw new RecordError('DoesNotExistError', text)
  }
  if (before === null && stored.isPrivate) await requireOwnAddress(url, work)
  document.file_name ||= stored.fileName
  document.file_size = stored.sizeBytes
  document.file_type = stored.mimeType
  document.content_hash = stored.contentHash
  document.is_private = stored.isPrivate ? 1 : 0
}

/** Nobody gets at a private file by naming it in a record of its own; one that no record names yet has just come. */
async function requireOwnAddress(url: string, work: RecordWork): Promise<void> {
  const named = await work.select(file, sql`r.file_url = ${url}`)
  if (named.length === 0 || isManager(work.caller)) return
  if (named.some(({ owner }) => owner === work.caller.user)) return
  throw strangersAddress()
}

function strangersAddress(): RecordError {
  return new RecordError('PermissionError', 'This private file was not uploaded by you. Upload it yourself.')
}

async function requireAttachableChange(
  document: FileRecord,
  work: RecordWork,
  before: FileRecord | null,
): Promise<void> {
  const fields = ['attached_to_doctype', 'attached_to_name'] as const
  if (before !== null && fields.every((field) => document[field] === before[field])) return
  await requireAttachable(work, document)
}

/** Deletes a stored file with its last record. */
async function discardBytes(document: FileRecord, work: RecordWork): Promise<void> {
  const others = await work.select(file, sql`r.file_url = ${document.file_url} and r.name <> ${document.name}`)
  if (others.length > 0) return
  const id = await discardStoredFile(work.tx, document.file_url ?? '')
  if (id !== null) work.discardFile(id)
}

/** The record type of uploaded files. */
export const fileRecords: readonly RecordDefinition[] = [
  defineRecord(file, {
    goesWith: 'attached_to_name',
    rightToNamed: 'write',
    seenBy: filesSeenBy,
    mayChange: isAttachedOrOwn,
    rules: { validate: [setFacts, requireAttachableChange], beforeDelete: [discardBytes] },
  }),
]
