import type { StorageUser } from './ownership.ts'

/** An installation that takes the files of the storages that are opened for it. */
export const onlyUser: StorageUser = {
  loadInstallation: async () => ({ id: 'aaaaaaaa-0000-4000-8000-000000000001', mayClaim: true }),
  warn: () => {},
}
