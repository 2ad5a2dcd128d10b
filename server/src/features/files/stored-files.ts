import { recordAccess } from '../../changes/index.ts'
import { type Database, literal, sql, type Transaction } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { bodyLimits, type FileStorage, type StagedCall } from '../../resource-api/index.ts'
import { completeUpload, fileKey, ScannerUnavailable, safeFileName } from '../../storage/index.ts'
import { newId } from '../../values/index.ts'

/** A stored file with an address of its tenant. */
export interface StoredFile {
  readonly id: string
  /** `/files/<name>` for everybody who knows it, `/private/files/<name>` for those who may. */
  readonly fileUrl: string
  readonly fileName: string
  /** By content; `application/octet-stream` when that is none that is known. */
  readonly mimeType: string
  readonly sizeBytes: number
  /** The SHA-256 in 64 lower-case hexadecimal digits. */
  readonly contentHash: string
  readonly isPrivate: boolean
}

/** A stored file without an address yet. */
export type ArrivedFile = Omit<StoredFile, 'fileUrl'>

/** A received file. */
interface Arrival {
  readonly bytes: Buffer
  /** The file name that the client sent; any text. */
  readonly fileName: string
  readonly isPrivate: boolean
}

/** What people who are no staff may upload, as upstream has it: pictures, PDF, plain text, office documents, videos. */
const personalTypes =
  /^(image\/(jpeg|png)|application\/pdf|text\/plain|video\/(mp4|quicktime)|application\/(msword|vnd\.ms-.+|vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+))$/

/**
 * Stores a file before anything names it: writes, freezes and inspects it, and has it scanned. Then `name` runs in a
 * transaction, which has to keep it (`keepFile`). A refusal, also one of `name`, leaves no file but an audit row; what ends by itself in
 * between is left to `cleanUpStoredFilesJob`.
 *
 * @throws RecordError `RequestEntityTooLarge`, `ValidationError` for an empty or infected file or a type that the caller may
 * not upload, `SessionStopped` while the scanner does not answer, and what `name` throws.
 */
export async function storeFile<Result>(
  call: StagedCall,
  { bytes, fileName, isPrivate }: Arrival,
  name: (arrived: ArrivedFile) => Promise<Result>,
): Promise<Result> {
  const id = newId()
  const refuse = async (error: RecordError | Problem): Promise<never> => {
    await discardArrived(call, id, { fileName: toStoredName(fileName), sizeBytes: bytes.length }, error)
    throw error
  }
  if (bytes.length === 0) return refuse(new RecordError('ValidationError', 'The file is empty. Choose another one.'))
  await call.transaction(async ({ tx }) => {
    tx.send(sql`
      insert into stored_files (tenant_id, id, state, is_private) values (${tx.tenantId}, ${id}, 'arriving', ${isPrivate})`)
  })
  try {
    const { mimeType, sizeBytes, checksumSha256 } = await examined(call, id, bytes)
    const contentHash = checksumSha256
    return await name({ id, fileName: toStoredName(fileName), mimeType, sizeBytes, contentHash, isPrivate })
  } catch (error) {
    // Anything else leaves open whether the transaction has committed, so that the file must stay.
    if (error instanceof RecordError || error instanceof Problem) return refuse(error)
    throw error
  }
}

async function examined({ storage, caller }: StagedCall, id: string, bytes: Buffer) {
  const key = fileKey(caller.tenant.id, id)
  const { store, scanner } = storage
  const { sizeBytes, checksumSha256 } = await store.write(key, once(bytes), { maxBytes: bodyLimits.large })
  const announced = { sizeBytes, mimeTypes: null, checksumsSha256: [checksumSha256] }
  const outcome = await completeUpload(store, scanner, key, announced).catch((error: unknown) => {
    if (!(error instanceof ScannerUnavailable)) throw error
    throw new RecordError('SessionStopped', 'The virus scanner does not answer. Try again shortly.', {
      headers: { 'retry-after': '10' },
    })
  })
  if (outcome.status === 'missing') throw new Error('a file that was just written is not there')
  if (outcome.status !== 'ready') throw new RecordError('ValidationError', outcome.problem.message)
  const mimeType = outcome.facts.mimeType ?? 'application/octet-stream'
  const isStaff = caller.kind === 'key' || caller.roles.has('Desk User')
  if (!isStaff && !personalTypes.test(mimeType)) {
    throw new RecordError(
      'ValidationError',
      `You can only upload JPG, PNG, PDF, TXT, office documents, MP4 or MOV. This file is ${mimeType}.`,
    )
  }
  return { mimeType, sizeBytes, checksumSha256 }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Lets go of a file that was refused, and writes an audit row that says which it was and why, unless the service failed. */
async function discardArrived(
  call: StagedCall,
  id: string,
  facts: object,
  error: RecordError | Problem,
): Promise<void> {
  await call.transaction(async (engine) => {
    const { tx, caller } = engine
    tx.send(sql`update stored_files set state = 'discarded' where tenant_id = ${tx.tenantId} and id = ${id}`)
    engine.discardFile(id)
    if (error.status >= 500) return
    const code = error instanceof RecordError ? error.type : error.code
    recordAccess(tx, caller, {
      action: 'file.refused',
      entityType: 'file',
      entityId: id,
      facts: { ...facts, code, detail: error.message },
    })
  })
}

/**
 * Assigns a stored file its address: its name, with a part of its id when that is taken. Runs in the transaction that
 * creates its first record.
 */
export async function assignAddress(tx: Transaction, file: ArrivedFile): Promise<StoredFile> {
  const fileUrl = await freeUrl(tx, file)
  await tx.query(sql`
    update stored_files
       set state = 'kept', file_url = ${fileUrl}, file_name = ${file.fileName}, mime_type = ${file.mimeType},
           size_bytes = ${file.sizeBytes}, content_hash = ${file.contentHash}
     where tenant_id = ${tx.tenantId} and id = ${file.id}`)
  return { ...file, fileUrl }
}

async function freeUrl(tx: Transaction, { id, fileName, isPrivate }: ArrivedFile): Promise<string> {
  const folder = isPrivate ? '/private/files/' : '/files/'
  // What means something in an address would end it where the name goes on.
  const name = fileName.replace(/[#?%&+;]/g, '_')
  if ((await findStoredFile(tx, folder + name)) === null) return folder + name
  const dot = name.lastIndexOf('.')
  const end = dot > 0 ? dot : name.length
  return `${folder}${name.slice(0, end)}-${id.slice(-12)}${name.slice(end)}`
}

/** The file name without folders and control characters, at most 140 characters. */
function toStoredName(fileName: string): string {
  const name = safeFileName(fileName.split(/[/\\]/).at(-1) as string)
  return [...name].slice(-140).join('')
}

/** The stored file at an address, or null. */
export async function findStoredFile(tx: Transaction, fileUrl: string): Promise<StoredFile | null> {
  const [found] = await tx.query<StoredFile>(sql`
    select id, file_url as "fileUrl", file_name as "fileName", mime_type as "mimeType", size_bytes as "sizeBytes",
           content_hash as "contentHash", is_private as "isPrivate"
      from stored_files where tenant_id = ${tx.tenantId} and file_url = ${fileUrl} and state = 'kept'`)
  return found ?? null
}

/** Lets the kept file at an address go, in the transaction that takes its last record away. Gives its id, or null. */
export async function discardStoredFile(tx: Transaction, fileUrl: string): Promise<string | null> {
  const [discarded] = await tx.query<{ id: string }>(sql`
    update stored_files set state = 'discarded'
     where tenant_id = ${tx.tenantId} and file_url = ${fileUrl} and state = 'kept'
    returning id`)
  return discarded?.id ?? null
}

const batchSize = 500

/**
 * Removes the bytes of files that were discarded, and of those that no record was made of within a day, such as where the
 * process ended in between, and forgets them. Running it twice at once does no harm.
 */
export function cleanUpStoredFilesJob({ store }: Pick<FileStorage, 'store'>): Job {
  return {
    name: 'stored-files',
    everySeconds: 3600,
    run: async (database: Database, { id: tenantId }, hasTime = () => true) => {
      await inBatches(batchSize, hasTime, async () => {
        const unkept = await database.readSlowly<{ id: string }>(
          tenantId,
          sql`
          select id from stored_files
           where tenant_id = ${tenantId}
             and (state = 'discarded' or (state = 'arriving' and created_at < now() - interval '1 day'))
           order by created_at limit ${literal(batchSize)}`,
        )
        const ids = unkept.map(({ id }) => id)
        for (const id of ids) {
          await store.remove('upload', fileKey(tenantId, id))
          await store.remove('frozen', fileKey(tenantId, id))
        }
        await database.transaction(tenantId, (tx) =>
          tx.query(sql`
            delete from stored_files
             where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and state <> 'kept'`),
        )
        return ids.length
      })
    },
  }
}
