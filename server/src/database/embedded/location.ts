import type { ServerUser } from './server-user.ts'

/** Where the database of a data folder lives, and who runs it. All paths are real ones, without symbolic links. */
export interface Place {
  readonly dataDir: string
  /** Holds the cluster, its log, its socket and, when needed, the binaries. */
  readonly folder: string
  /** PostgreSQL's own data directory; it may not exist yet. */
  readonly cluster: string
  readonly user: ServerUser
  /** The cluster's files belong to root, who may not run PostgreSQL: they came by a copy, and must be given to `user`. */
  readonly rootOwned: boolean
}
