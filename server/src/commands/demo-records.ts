import type { Connection } from '../database/index.ts'
import type { FileStore } from '../storage/index.ts'
import type { TenantRecord } from '../tenancy/index.ts'

/** How many records the demo makes. */
export interface DemoSize {
  readonly students: number
  readonly payments: number
  /** The same seed gives the same people, amounts and ids. */
  readonly seed: number
}

/**
 * What the workspace of the demo gives the command line. It stands on the service, so nothing of the service imports
 * it.
 */
export interface DemoRecords {
  isTenantEmpty(connection: Connection, tenantId: string): Promise<boolean>
  /** Fills an empty tenant in one transaction; `onProgress(done, total)` counts its records. */
  fillDemoTenant(
    connection: Connection,
    tenant: TenantRecord,
    size: DemoSize,
    store: FileStore,
    onProgress: (done: number, total: number) => void,
  ): Promise<unknown>
}

const workspace = '@matricula/demo'

/** The demo's records, loaded when they are asked for. Throws where the workspace is not installed. */
export async function loadDemoRecords(): Promise<DemoRecords> {
  const { demoRecords } = (await import(workspace)) as { demoRecords: DemoRecords }
  return demoRecords
}
