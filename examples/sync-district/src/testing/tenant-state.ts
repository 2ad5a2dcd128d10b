import type { TestService, TestTenant } from '../../../../server/dist/testing/fixtures/test-service.js'

// biome-ignore lint/suspicious/noExplicitAny: records of every kind, as the service answers them
export type AnyRecord = any

/** Every record of a tenant, by externalId, as an integrator reads it. */
export interface TenantState {
  readonly students: Map<string, AnyRecord>
  readonly applications: Map<string, AnyRecord>
  readonly payments: Map<string, AnyRecord>
}

export async function loadState({ api }: TestTenant): Promise<TenantState> {
  const list = async (path: string) => {
    const records = new Map<string, AnyRecord>()
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { body } = await api.get(`${path}?limit=100&page=${page}`)
      pages = body.pagination.totalPages
      for (const record of body.data) records.set(record.externalId, record)
      if (page === pages && records.size !== body.pagination.total) throw new Error(`${path} has doubles`)
    }
    return records
  }
  return {
    students: await list('/students'),
    applications: await list('/admissions/applications'),
    payments: await list('/payments'),
  }
}

/** The externalIds whose `updatedAt` differs between two states. */
export function touched(before: Map<string, AnyRecord>, after: Map<string, AnyRecord>): string[] {
  return [...after].flatMap(([id, { updatedAt }]) => (updatedAt === before.get(id)?.updatedAt ? [] : [id])).sort()
}

/** How many events of each type a tenant has had, after a position. */
export async function loadEvents(service: TestService, tenant: TestTenant, after: string) {
  const rows = await service.database.inspect<{ type: string; count: number }>(
    'select type, count(*)::int from events where tenant_id = $1 and position > $2 group by type order by type',
    [tenant.id, after],
  )
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
}

/** The position of a tenant's last event. */
export async function lastPosition(service: TestService, tenant: TestTenant): Promise<string> {
  const [row] = await service.database.inspect<{ position: string | null }>(
    'select max(position)::text as position from events where tenant_id = $1',
    [tenant.id],
  )
  return row?.position ?? '0'
}
