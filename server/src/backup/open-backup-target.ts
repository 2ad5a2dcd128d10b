import { basename, dirname, resolve } from 'node:path'
import type { BackupTarget } from './backup-target.ts'
import { FolderBackupTarget } from './folder-backup-target.ts'

/** A backup by its target and its name there. */
export interface BackupAddress {
  readonly target: BackupTarget
  readonly name: string
}

/** Opens a folder or `s3://bucket/prefix?endpoint=…&region=…`. Throws `StorageUrlError`. */
export async function openBackupTarget(address: string): Promise<BackupTarget> {
  if (!address.startsWith('s3://')) return new FolderBackupTarget(resolve(address))
  // Loaded only where it is used: the AWS SDK is the largest part of the program.
  const { S3BackupTarget } = await import('./s3-backup-target.ts')
  return S3BackupTarget.open(address)
}

/** Opens the target of one backup, named by a path or by `s3://bucket/prefix/name?…`. Throws `StorageUrlError`. */
export async function openBackupAddress(address: string): Promise<BackupAddress> {
  if (!address.startsWith('s3://')) {
    const path = resolve(address)
    return { target: await openBackupTarget(dirname(path)), name: basename(path) }
  }
  const [path = '', query] = address.split('?', 2)
  const end = path.lastIndexOf('/')
  const target = await openBackupTarget(path.slice(0, end) + (query === undefined ? '' : `?${query}`))
  return { target, name: path.slice(end + 1) }
}

/** The address of a name in a target. */
export function within(location: string, name: string): string {
  if (!location.startsWith('s3://')) return `${location}/${name}`
  const [path = '', query] = location.split('?', 2)
  return `${path.endsWith('/') ? path : `${path}/`}${name}${query === undefined ? '' : `?${query}`}`
}
