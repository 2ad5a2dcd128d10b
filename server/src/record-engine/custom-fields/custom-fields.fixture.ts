import assert from 'node:assert/strict'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { movedBack } from '../../testing/fixtures/database/test-database.ts'
import type { Outcome, ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import type { TestService, TestTenant } from '../../testing/fixtures/test-service.ts'
import { clearRemovedFieldsJob } from './removed-fields.ts'

/** Creates custom fields of a type, by name, and waits until the service has loaded them: within a second. */
export async function define(
  resourceClient: ResourceClient,
  dt: string,
  fields: Readonly<Record<string, object>>,
): Promise<void> {
  for (const [fieldname, field] of Object.entries(fields)) {
    const made = await resourceClient.create('Custom Field', { dt, fieldname, label: fieldname, ...field })
    assert.deepEqual([made.status, made.data?.name], [200, `${dt}-${fieldname}`], made.told)
  }
  await untilKnown(resourceClient, dt, fields)
}

/** Waits until the service has loaded the current fields of a type. */
export async function untilKnown(
  resourceClient: ResourceClient,
  dt: string,
  fields: Readonly<Record<string, object>>,
): Promise<void> {
  const wanted = Object.entries(fields) as [string, { fieldtype?: string }][]
  await until(async () => {
    const { data } = await resourceClient.read('DocType', dt)
    const known = new Map(
      (data.fields as { fieldname: string; fieldtype: string }[]).map((field) => [field.fieldname, field]),
    )
    return wanted.every(([name, { fieldtype }]) => known.get(name)?.fieldtype === fieldtype)
  }, `the fields of ${dt}`)
}

/** Waits until the Client API lists this number of custom fields for a resource. */
export async function untilListed({ api }: TestTenant, resource: string, count: number): Promise<void> {
  const listed = async () => ((await api.get('/me')).body.data.customFields?.[resource] ?? []).length
  await until(async () => (await listed()) === count, `${count} fields of ${resource}`)
}

/** Clears the values of deleted fields, as if these had been deleted two minutes ago. */
export async function clearRemoved({ data, database }: TestService, tenant: TestTenant): Promise<void> {
  const earlier = `update removed_custom_fields set ${movedBack('removed_at', '2 minutes')} where tenant_id = $1`
  await database.inspect(earlier, [tenant.id])
  await clearRemovedFieldsJob.run(data, tenant)
}

/** The statements of this process that read definitions of custom fields while `run` runs. */
export const definitionsReadWhile = (run: () => Promise<unknown>) => statementsLike(/\b(from|join) custom_field/, run)

/** Asserts an error by its type and text. */
export function refused(outcome: Outcome, error: string, text: RegExp): void {
  assert.deepEqual([outcome.status, outcome.error], [error === 'DuplicateEntryError' ? 409 : 417, error], outcome.told)
  assert.match(outcome.told, text)
}
