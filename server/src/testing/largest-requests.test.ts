import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aQuestion, aTemplate } from './factories.ts'
import { type LargestRequest, largestRequests } from './largest-requests.ts'
import { startTestService } from './test-service.ts'

const service = await startTestService({ authFailuresPerMinute: 1_000_000 })

/** No request of a mebibyte comes near this, however busy the machine is; without the bounds some take minutes. */
const mostMilliseconds = 20_000

test('the largest request of each shape is answered as its bound says, and one that is refused writes nothing', async () => {
  const tenant = await service.tenant()
  const { token, key } = await opened(tenant)
  const template = await aTemplate(service, tenant, {
    fields: [aQuestion('reason', { label: 'Why?', type: 'text' })],
    entityType: 'none',
  })
  const form = new URL(template.publicUrl as string).pathname.split('/').at(-1) as string
  const requests = await largestRequests({ address: service.address, slug: tenant.slug, token, key, form })
  const faults: string[] = []
  let before = await written(tenant.id)
  for (const request of requests) {
    const begun = performance.now()
    const { status, text } = await sent(request)
    const milliseconds = performance.now() - begun
    if (milliseconds > mostMilliseconds) faults.push(`${request.name}: ${Math.round(milliseconds)} ms`)
    const { code, says, status: wanted } = request.outcome
    const isSo = status === wanted && (code === undefined || codeOf(text) === code) && (says ?? /^/).test(text)
    if (!isSo) faults.push(`${request.name}: ${status} ${text.slice(0, 300)}`)
    const after = await written(tenant.id)
    if (status >= 400 && after !== before) faults.push(`${request.name}: has written ${after - before} events`)
    before = after
  }
  assert.deepEqual(faults, [])
})

/** How many events there are, one at least for everything that was written. */
async function written(tenantId: string): Promise<number> {
  const events = 'select count(*)::int as n from events where tenant_id = $1'
  const [row] = await service.database.inspect<{ n: number }>(events, [tenantId])
  return row?.n ?? 0
}

async function opened(tenant: Awaited<ReturnType<typeof service.tenant>>) {
  const roles = ['System Manager', 'Academics User', 'Accounts User', 'Education Manager', 'Instructor']
  const { secret: token } = await tenant.token()
  const { secret } = await tenant.token({ kind: 'resource', scopes: [], masterDomains: [], roles })
  return { token, key: `Bearer ${secret}` }
}

async function sent({ method, path, headers, body }: LargestRequest) {
  const response = await fetch(service.address + path, { method, headers, body, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

/** The code of a refusal: the type of its exception on the Resource and Method API. */
function codeOf(text: string): string | undefined {
  const answer = JSON.parse(text)
  return answer.code ?? answer.exc_type
}
