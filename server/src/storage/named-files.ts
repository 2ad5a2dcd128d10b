import type { Sql } from '../database/index.ts'

/** The files that rows of the database refer to, for backups. */
export interface NamedFiles {
  /**
   * Finds them, of one tenant or of all (null), as `NamedFile`; with ids, which are the second part of a key, only
   * among these.
   */
  statement(tenantId: string | null, ids?: string[] | null): Sql
  /** The job that removes what is named no more. It waits while a backup reads files. */
  readonly removedBy: string
}

export interface NamedFile {
  readonly key: string
  /** `upload` where the sender may still replace it. */
  readonly state: 'frozen' | 'upload'
  /** Whether something is wrong where it is not there. */
  readonly isNeeded: boolean
}
