import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extensionScopes, oneRosterOperations } from '@matricula/contract'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { assertRosterError, readResponse } from './roster.fixture.ts'

const service = await startTestService()
const tenant = await service.tenant()
const versions = { rostering: '/rostering/v1p2', gradebook: '/gradebook/v1p2', resources: '/resources/v1p2' } as const

test('every operation refuses a key without its right, one of another institution, and a module that is off', async () => {
  const other = await (await service.tenant()).token()
  const off = await service.tenant({ modules: ['staff_students'] })
  const offKey = await off.token()
  for (const right of new Set(oneRosterOperations.map(({ scope }) => scope))) {
    const without = await tenant.token({ scopes: extensionScopes.filter((scope) => scope !== right) })
    const only = await tenant.token({ scopes: [right] })
    for (const { service: of, path, method, scope, id, isInFirstVersion } of oneRosterOperations) {
      if (scope !== right) continue
      const send = async (slug: string, secret: string | null, version: string = versions[of]) =>
        readResponse(
          await fetch(`${service.address}/t/${slug}/ims/oneroster${version}${path.replace(/\{\w+\}/g, 'x')}`, {
            method,
            headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
          }),
        )
      assertRosterError(await send(tenant.slug, without.secret), 403, 'forbidden')
      if (isInFirstVersion) assertRosterError(await send(tenant.slug, without.secret, '/v1p1'), 403, 'forbidden')
      assertRosterError(await send(tenant.slug, other.secret), 401, 'unauthorisedrequest')
      assertRosterError(await send(tenant.slug, null), 401, 'unauthorisedrequest')
      assertRosterError(await send(off.slug, offKey.secret), 403, 'forbidden')
      const { status, text } = await send(tenant.slug, only.secret)
      assert.ok([200, 404, 422].includes(status), `${id} ${status} ${text}`)
    }
  }
})
