import { setImmediate } from 'node:timers/promises'
import { file } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { isManager, type RecordEngine, RecordError, shownRecord, updateRecord } from '../../record-engine/index.ts'
import {
  RecordFile,
  type RecordMethod,
  type SentFile,
  type StagedCall,
  type StagedMethod,
  stagedMethod,
} from '../../resource-api/index.ts'
import { fileKey } from '../../storage/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import { type Attachment, isFieldOfAttachment, mayReadFile, requireOwnAttachable } from './attachments.ts'
import { assignAddress, findStoredFile, type StoredFile, storeFile } from './stored-files.ts'

const text = { type: 'string' } as const
const passedOver = { type: 'any', about: 'Passed over: pictures stay as they are.' } as const

/** The parameters of an upload. */
interface Upload {
  readonly attachment: Attachment
  readonly folder: string | null
  readonly isPrivate: boolean
  /** Whether the file's address becomes the value of the field that it is attached to. */
  readonly setsField: boolean
}

/** The methods about files. */
export const fileMethods: readonly (RecordMethod | StagedMethod)[] = [
  stagedMethod({
    path: 'upload_file',
    rights: 'of the argument',
    isForStudents: true,
    summary:
      'Takes a file of a form, or names one that is kept already by its file_url or the name of its record, and attaches it to a record.',
    verbs: ['POST', 'PUT'],
    result: { type: 'object', description: 'The record of the file; `file_url` is its address.' },
    parameters: {
      is_private: { type: 'boolean', about: 'Whether only those may read it who may read its record.' },
      folder: { ...text, about: 'Home when absent.' },
      file_url: { ...text, about: 'Instead of a file: the address of one that is kept here or on the web.' },
      file_name: { ...text, about: 'Another name for it.' },
      doctype: { ...text, about: 'The type of the record that it is attached to.' },
      docname: { ...text, about: 'The name of that record.' },
      fieldname: { ...text, about: 'The field that it is for; the record itself stays as it is.' },
      library_file_name: { ...text, about: 'Instead of a file: the name of a File record.' },
      optimize: passedOver,
      max_width: passedOver,
      max_height: passedOver,
      method: { ...text, about: 'Refused: a file is handed to no other method.' },
    },
    runInStages: async (call, args) => {
      const { doctype, docname, fieldname, folder, file_url, file_name, library_file_name } = args
      if (args.method) {
        const text =
          'A file is handed to no other method here. Leave the argument method out, and pass on its file_url.'
        throw new RecordError('ValidationError', text)
      }
      const upload = {
        attachment: getAttachment(doctype, docname, fieldname),
        folder,
        isPrivate: await isPrivate(call, args.is_private),
        setsField: false,
      }
      const sent = call.files.file
      if (sent !== undefined) return upFile(call, upload, { ...sent, fileName: file_name || sent.fileName })
      if (library_file_name) {
        return call.transaction((engine) => takeFromLibrary(engine, upload, library_file_name))
      }
      if (file_url) {
        return call.transaction(async (engine) => {
          await requireOwnAttachable(engine, upload.attachment)
          return makeRecord(engine, upload, file_url, file_name)
        })
      }
      throw new RecordError('FrappeTypeError', 'Send the file as the part file of a multipart/form-data body.')
    },
  }),
  stagedMethod({
    path: 'frappe.client.attach_file',
    rights: 'of the argument',
    isForStudents: true,
    summary:
      'Takes a file as a text, or with decode_base64 as base64 of it, and attaches it to a record, in whose docfield its address then stands.',
    verbs: ['POST', 'PUT'],
    result: { type: 'object', description: 'The record of the file; `file_url` is its address.' },
    parameters: {
      filename: { type: 'string', required: true },
      filedata: { type: 'string', required: true },
      doctype: text,
      docname: text,
      folder: text,
      decode_base64: { type: 'boolean' },
      is_private: { type: 'boolean' },
      docfield: text,
    },
    runInStages: async (call, args) => {
      const { filename, filedata, doctype, docname, folder, docfield } = args
      const upload = {
        attachment: getAttachment(doctype, docname, docfield),
        folder,
        isPrivate: await isPrivate(call, args.is_private),
        setsField: true,
      }
      const bytes = args.decode_base64 === true ? await decodeBase64(filedata) : Buffer.from(filedata)
      return upFile(call, upload, { fileName: filename, bytes })
    },
  }),
  stagedMethod({
    path: 'download_file',
    rights: 'of the argument',
    isForStudents: true,
    summary:
      'Hands out a file by its file_url: a public one to everybody, a private one to those who may read its record.',
    allowGuest: true,
    fileType: 'application/octet-stream',
    parameters: { file_url: { type: 'string', required: true } },
    runInStages: async (call, { file_url }) => {
      const stored = await call.transaction((engine) => requireReadableFile(engine, file_url))
      const bytes = await call.storage.store.open('frozen', fileKey(call.caller.tenant.id, stored.id))
      if (bytes === null) throw unknownFile(file_url)
      return new RecordFile(stored.fileName, stored.mimeType, { bytes, sizeBytes: stored.sizeBytes })
    },
  }),
]

/** What was said, else what the institution has set: upstream makes everything public that is not said to be private. */
async function isPrivate(call: StagedCall, said: boolean | null): Promise<boolean> {
  return said ?? call.transaction(async (engine) => (await loadEducationSettings(engine)).private_uploads === 1)
}

function getAttachment(doctype: string | null, docname: string | null, field: string | null): Attachment {
  return {
    attached_to_doctype: doctype || null,
    attached_to_name: docname || null,
    attached_to_field: field || null,
  }
}

async function upFile(
  call: StagedCall,
  upload: Upload,
  { fileName, bytes }: Pick<SentFile, 'fileName' | 'bytes'>,
): Promise<object> {
  await call.transaction((engine) => requireOwnAttachable(engine, upload.attachment))
  return storeFile(call, { bytes, fileName, isPrivate: upload.isPrivate }, (arrived) =>
    call.transaction(async (engine) => {
      const { fileUrl } = await assignAddress(engine.tx, arrived)
      return makeRecord(engine, upload, fileUrl, null)
    }),
  )
}

/** Attaches the file of another record once more. Throws `PermissionError` for one that the caller may not read. */
async function takeFromLibrary(engine: RecordEngine, upload: Upload, name: string): Promise<object> {
  const record = isManager(engine.caller) ? await engine.get(file, name) : await engine.find(file, name)
  if (record === null || !(await mayReadFile(engine, record))) throw unreadableFile()
  await requireOwnAttachable(engine, upload.attachment)
  return makeRecord(engine, { ...upload, isPrivate: record.is_private === 1 }, record.file_url ?? '', record.file_name)
}

async function makeRecord(
  engine: RecordEngine,
  { attachment, folder, isPrivate, setsField }: Upload,
  fileUrl: string,
  fileName: string | null,
): Promise<object> {
  const { name } = await engine.insert(file, {
    ...attachment,
    ...(folder && { folder }),
    file_url: fileUrl,
    file_name: fileName || null,
    is_private: isPrivate ? 1 : 0,
  })
  const { attached_to_doctype: type, attached_to_name: target, attached_to_field: field } = attachment
  if (setsField && type && target && field && isFieldOfAttachment(attachment)) {
    await updateRecord(engine, type, target, { [field]: fileUrl })
  }
  return shownRecord(engine.caller, file, await engine.get(file, name), { nulls: true })
}

/** How many characters are decoded at once, a multiple of four: a few milliseconds. */
const decodedAtOnce = 1024 * 1024

/** Decodes strict base64 (RFC 4648 §4), also with the prefix of a data URL (RFC 2397) and in lines. */
async function decodeBase64(sent: string): Promise<Buffer> {
  const prefix = /^data:[^,]{0,500},/.exec(sent)?.[0].length ?? 0
  const decoded: Buffer[] = []
  let rest = ''
  for (let at = prefix; at < sent.length; at += decodedAtOnce) {
    // Others may have their turn.
    if (at > prefix) await setImmediate()
    const base64 = rest + withoutSpaces(sent.slice(at, at + decodedAtOnce))
    const isLast = at + decodedAtOnce >= sent.length
    // The last four characters may have padding, which only ends a text.
    const length = isLast ? base64.length : Math.max(0, base64.length - (base64.length % 4) - 4)
    rest = base64.slice(length)
    decoded.push(decodeWhole(base64.slice(0, length), isLast))
  }
  return Buffer.concat(decoded)
}

function decodeWhole(base64: string, isLast: boolean): Buffer {
  const pattern = isLast ? /^[A-Za-z0-9+/]*={0,2}$/ : /^[A-Za-z0-9+/]*$/
  if (base64.length % 4 !== 0 || !pattern.test(base64)) throw noBase64()
  return Buffer.from(base64, 'base64')
}

/** A text without spaces and line ends. Throws for characters outside of ASCII. */
function withoutSpaces(text: string): string {
  if (/[^\0-\x7f]/.test(text)) throw noBase64()
  const codes = Buffer.from(text, 'latin1')
  let length = 0
  for (const code of codes) {
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) continue
    codes[length] = code
    length += 1
  }
  return codes.toString('latin1', 0, length)
}

function noBase64(): RecordError {
  return new RecordError(
    'ValidationError',
    'The argument filedata is no base64. Send it without decode_base64, or encoded.',
  )
}

/** The stored file at an address. Throws `DoesNotExistError`, and `PermissionError` when the caller may not read it. */
async function requireReadableFile(engine: RecordEngine, fileUrl: string): Promise<StoredFile> {
  if (fileUrl.startsWith('/private/') && engine.caller.kind === 'guest') throw unreadableFile()
  const stored = await findStoredFile(engine.tx, fileUrl)
  // Whether there is a private file of a name is told to those alone who may read all of them.
  const isOpen = !fileUrl.startsWith('/private/') || isManager(engine.caller)
  if (stored === null) throw isOpen ? unknownFile(fileUrl) : unreadableFile()
  for (const record of await engine.select(file, sql`r.file_url = ${fileUrl}`)) {
    if (!(await mayReadFile(engine, record))) continue
    engine.caller.shown?.addRecord(file, record)
    return stored
  }
  throw unreadableFile()
}

function unknownFile(fileUrl: string): RecordError {
  return new RecordError('DoesNotExistError', `There is no file at ${JSON.stringify(fileUrl.slice(0, 140))}.`)
}

function unreadableFile(): RecordError {
  return new RecordError('PermissionError', 'This file is private. Log in as somebody who may read its record.')
}
