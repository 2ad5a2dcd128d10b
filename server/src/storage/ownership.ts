import { type FileStore, FileStoreUnavailable } from './file-store.ts'

/** An installation: a database with the services, jobs and commands that work on it. */
export interface Installation {
  readonly id: string
  /** Whether files that belong to nobody are its own; not where its rows came from another database, nor may the files. */
  readonly mayClaim: boolean
}

/** For whom a storage is opened. */
export interface StorageUser {
  loadInstallation(): Promise<Installation>
  /** Is told why files stay, once. */
  warn(message: string): void
}

/**
 * Whose the files of a storage are, for an installation: its own; of nobody yet; or of another installation, whose id
 * is `owner`.
 */
export interface Ownership {
  readonly is: 'own' | 'unclaimed' | 'foreign'
  readonly owner: string | null
}

/** Whose the files are, without a change. */
export async function findOwnership(store: FileStore, { id }: Installation): Promise<Ownership> {
  const owner = await store.readOwner()
  if (owner === null) return { is: 'unclaimed', owner }
  return { is: owner === id ? 'own' : 'foreign', owner }
}

/**
 * Makes an installation the owner of files that have none, except where they may be another's: files are there
 * already, and its rows came from elsewhere. Of several at once one becomes it. Tells whose they are then.
 */
export async function claimFiles(store: FileStore, installation: Installation): Promise<Ownership> {
  const found = await findOwnership(store, installation)
  if (found.is !== 'unclaimed' || (!installation.mayClaim && !(await hasNoFiles(store)))) return found
  await store.writeOwner(installation.id, { replaces: false })
  return findOwnership(store, installation)
}

/** Makes an installation the owner of all files, whoever was it before. */
export async function adoptFiles(store: FileStore, { id }: Installation): Promise<void> {
  await store.writeOwner(id, { replaces: true })
}

/** Whether a storage has no file at all. */
export async function hasNoFiles(store: FileStore): Promise<boolean> {
  for (const state of ['frozen', 'upload'] as const) for await (const _ of store.list(state)) return false
  return true
}

/** What an operator is told of files that are not the installation's own; null where they are. */
export function describeOwnership({ is, owner }: Ownership): string | null {
  if (is === 'own') return null
  const whose =
    is === 'foreign'
      ? `The stored files belong to another installation (${owner})`
      : 'The stored files belong to no installation, and the rows of this database came from another one'
  return (
    `${whose}: this one reads them and adds to them, but removes and changes none. If this is a copy for a trial, give it a storage ` +
    'of its own (STORAGE_URL or DATA_DIR). If it takes the place of the other one, which runs no more: matricula storage adopt'
  )
}

/**
 * The same store, which removes and replaces files only for the installation that owns them. The owner is read each
 * time, because another one may adopt them. Without a user it removes none.
 */
export function keepingOthersFiles(store: FileStore, user: StorageUser | null): FileStore {
  const remove = store.remove.bind(store)
  const removeUnfinished = store.removeUnfinished.bind(store)
  const replace = store.replace.bind(store)
  let installation: Promise<Installation> | null = null
  let wasTold = false
  const findObstacle = async (): Promise<string | null> => {
    if (user === null) return 'No installation was named for which files may be removed or changed.'
    installation ??= user.loadInstallation().catch((error: unknown) => {
      installation = null
      throw error
    })
    const obstacle = describeOwnership(await claimFiles(store, await installation))
    if (obstacle !== null && !wasTold) user.warn(obstacle)
    wasTold = obstacle !== null
    return obstacle
  }
  return Object.assign(store, {
    remove: async (...file: Parameters<FileStore['remove']>) => {
      if ((await findObstacle()) === null) await remove(...file)
    },
    removeUnfinished: async (filter: Parameters<FileStore['removeUnfinished']>[0]) =>
      (await findObstacle()) === null ? removeUnfinished(filter) : 0,
    replace: async (...file: Parameters<FileStore['replace']>) => {
      const obstacle = await findObstacle()
      if (obstacle !== null) throw new FileStoreUnavailable(obstacle)
      return replace(...file)
    },
  })
}
