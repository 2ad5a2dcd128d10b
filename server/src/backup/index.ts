export type { BackupHeader } from './backup-format.ts'
export { observeBackups } from './backup-metrics.ts'
export { type BackupState, backupStateStatement, recordBackup } from './backup-state.ts'
export { deleteTenant, rowsOfTenant } from './delete-tenant.ts'
export { recordDeletion, unfinishedDeletion } from './deleted-tenants.ts'
export { spooled } from './folder-backup-target.ts'
export { openBackupAddress, openBackupTarget, within } from './open-backup-target.ts'
export { type BackupOwner, describeOthersBackups, findOthersBackups } from './prune-backups.ts'
export { verifyBackup } from './read-backup.ts'
export {
  backupsOfClusters,
  putInOrder,
  requireNoCluster,
  restoreBackup,
  type VerifiedBackup,
} from './restore-backup.ts'
export { type BackupSchedule, startBackups } from './scheduled-backups.ts'
export { holdRemovals, makeBackup, type RunningBackup } from './write-backup.ts'
