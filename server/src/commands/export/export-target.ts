import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { recordAccess } from '../../changes/index.ts'
import { CommandError } from '../../errors/index.ts'
import { type ExportFolder, type ExportFormat, exportFormats, openExportFolder } from '../../features/imports/index.ts'
import { parseStamp } from '../../http/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { type Operator, operatorContext } from '../operator.ts'

/** The options of an export, as they were given. */
export interface ExportOptions {
  readonly tenant: string
  readonly output: string
  readonly format?: string
  readonly since?: string
  readonly json?: boolean
}

/** The format of an export: as it was asked for, else by the ending of the file, else CSV. Throws `CommandError`. */
export function getFormat({ format, output }: ExportOptions): ExportFormat {
  const named = format ?? exportFormats.find((each) => output.endsWith(`.${each}`)) ?? 'csv'
  const found = exportFormats.find((each) => each === named)
  if (found !== undefined) return found
  throw new CommandError('invalid_value', `There is no format ${named}. There are: ${exportFormats.join(', ')}.`)
}

/** The moment of `--since`; null where none is given. Throws `CommandError`. */
export function getSince({ since }: ExportOptions): string | null {
  if (since === undefined) return null
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(since)
  if (isDate && !Number.isNaN(Date.parse(since))) return parseStamp(since)
  throw new CommandError(
    'invalid_value',
    `${since} must be a date or a moment, such as 2026-09-01 or 2026-09-01T08:00:00Z.`,
  )
}

/** Writes bytes to a file, which stands there only once it is complete, or with `-` to standard output. Throws `CommandError`. */
export async function writeTarget(output: string, content: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (output === '-') {
    await pipeline(Readable.from(content), process.stdout, { end: false })
    return
  }
  const part = `${output}.part`
  try {
    await pipeline(Readable.from(content), createWriteStream(part, { mode: 0o600 }))
    await rename(part, output)
  } catch (error) {
    await rm(part, { force: true })
    const { code } = error as NodeJS.ErrnoException
    if (['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ENOSPC', 'EROFS'].includes(code ?? '')) {
      throw new CommandError('invalid_value', `${output} cannot be written (${code}).`)
    }
    throw error
  }
}

/** Writes files to a folder, an archive or a bucket. Throws `CommandError` where it cannot be opened. */
export async function writeFolder<Result>(
  output: string,
  write: (folder: ExportFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await openExportFolder(output).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === undefined ? error.message : `${output} cannot be written (${error.code})`
    throw new CommandError('invalid_value', `${reason}.`)
  })
  try {
    const result = await write(folder)
    await folder.finish()
    return result
  } finally {
    await folder.close()
  }
}

/** Writes into the audit which records are exported, before the first of them is. */
export function recordExport({ database }: Operator, tenant: TenantRecord, facts: object): Promise<void> {
  return database.transaction(tenant.id, async (tx) => {
    const access = { action: 'records.exported', entityType: 'export', entityId: null, facts }
    recordAccess(tx, operatorContext(tenant), access)
  })
}
