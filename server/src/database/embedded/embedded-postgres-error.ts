/** Why the embedded database cannot be used; the message says what to do in one sentence or two. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** The way out that every message ends with when this machine or user cannot run the embedded database. */
export const useAnotherDatabase = 'Set DATABASE_URL to a PostgreSQL 15 or newer instead.'

/**
 * Puts a refusal of the file system (no permission, no room, read-only) into words; other errors are returned as they
 * are.
 */
export function explainFileError(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : fileErrors[code]
  if (reason === undefined || path === undefined) return error
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot use ${path}: ${reason}. Mend that, choose another DATA_DIR, or set DATABASE_URL.`,
    { cause: error },
  )
}

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'it is gone',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EINVAL: 'this user may not give it to the one who runs PostgreSQL',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'something else is there already',
  ENAMETOOLONG: 'the path is too long',
}
