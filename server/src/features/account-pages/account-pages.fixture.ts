import type { Transaction } from '../../database/index.ts'
import {
  askForReset,
  type Factor,
  makeResetKey,
  readRequiredFactors,
  resetMinutes,
  saveRequiredFactors,
} from '../../identity/users/index.ts'
import { aUser, getOperator } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import type { TestService, TestTenant } from '../../testing/fixtures/test-service.ts'
import { untilWaiting } from '../../testing/fixtures/waiting.ts'

/** A user of a new institution, and a client there that is not logged in. */
export async function aPageUser(service: TestService, roles: readonly string[] = ['Student']) {
  const tenant = await service.tenant({ name: 'Hillside School' })
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  return { tenant, guest, ...(await aUser(service, tenant, { roles })) }
}

/** A key to reset a password, as it is mailed. */
export async function aResetKey(service: TestService, tenant: TestTenant, user: string): Promise<string> {
  await askForReset(service.data, { tenant, requestId: null, address: null }, { user, sendsMail: true })
  const [reset] = await service.database.inspect<{ id: string }>(
    'select id from password_resets where tenant_id = $1 order by id desc limit 1',
    [tenant.id],
  )
  return (await makeResetKey(service.data, tenant.id, reset?.id as string, resetMinutes))?.key as string
}

/** Requires factors for a role. */
export async function requireFactors(
  service: TestService,
  tenant: TestTenant,
  role: string,
  anyOf: readonly Factor[],
): Promise<void> {
  const [row] = await service.database.inspect<{ id: string }>(
    'select id from roles where tenant_id = $1 and name = $2',
    [tenant.id, role],
  )
  await service.data.transaction(tenant.id, async (tx) => {
    const before = (await readRequiredFactors(tx)).get(role) ?? { role, anyOf: [] }
    await saveRequiredFactors(tx, getOperator(tenant), row?.id as string, before, { role, anyOf })
  })
}

/** The result of `other`, which waits for the locks of a transaction that has done `work` and then commits. */
export async function besideTransaction<Result>(
  service: TestService,
  tenantId: string,
  work: (tx: Transaction) => Promise<unknown>,
  other: () => Promise<Result>,
): Promise<Result> {
  const { running } = await service.data.transaction(tenantId, async (tx) => {
    await work(tx)
    const begun = other()
    await untilWaiting(service.database, 1)
    return { running: begun }
  })
  return running
}
