import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocumentTypeId, aQuestion, aRequest, aTemplate } from './factories.ts'
import { oddForms } from './odd-forms.ts'
import { startTestService } from './test-service.ts'
import { leastWork } from './work.ts'

const service = await startTestService({ authFailuresPerMinute: 1_000_000 })
const tenant = await service.tenant()

/** The most work for one form, in microseconds. */
const mostWork = 1_000_000

/** Every address that takes forms, called by somebody who may send one. */
async function addresses(): Promise<{ address: string; headers: Record<string, string> }[]> {
  const fields = [aQuestion('a'), aQuestion('proof', { type: 'file', validation: { documentTypeKey: 'photo' } })]
  const template = await aTemplate(service, tenant, { fields })
  const documentTypeId = await aDocumentTypeId(tenant.api, 'birth_certificate')
  const request = await aRequest(tenant.api, { items: [{ documentTypeId, label: 'Certificate' }] })
  const page = (url: string) => url.replace('https://matricula.example', service.address)
  const school = `${service.address}/t/${tenant.slug}`
  const { secret } = await tenant.token({
    kind: 'resource',
    name: 'portal',
    scopes: [],
    masterDomains: [],
    roles: ['System Manager'],
  })
  const open = [
    page(template.publicUrl as string),
    page(request.publicUrl as string),
    `${page(request.publicUrl as string)}/items/${request.items[0]?.id}`,
    ...['login', 'update-password', 'me'].map((name) => `${school}/${name}`),
  ]
  return [
    ...open.map((address) => ({ address, headers: {} })),
    ...['upload_file', 'frappe.client.insert', 'login'].map((method) => ({
      address: `${school}/api/method/${method}`,
      headers: { authorization: secret },
    })),
    { address: `${school}/api/resource/Student`, headers: { authorization: secret } },
    { address: `${service.address}/v1/payments`, headers: { authorization: 'Bearer none' } },
  ]
}

test('a form of any shape is taken or refused with a reason, on every page and at every address', async () => {
  const failed: string[] = []
  const seen = new Map<string, number>()
  for (const { address, headers } of await addresses()) {
    for (const { name, contentType, body } of oddForms) {
      const { pathname } = new URL(address)
      const work = await leastWork(mostWork, async () => {
        const answer = await fetch(address, {
          method: 'POST',
          redirect: 'manual',
          headers: { ...headers, accept: 'application/json', 'content-type': contentType },
          body: new Uint8Array(body),
        })
        const text = await answer.text()
        if (answer.status >= 500) failed.push(`${pathname}: ${name}: ${answer.status} ${text.slice(0, 200)}`)
        seen.set(`${pathname.split('/')[1]} ${name}`, answer.status)
      })
      if (work > mostWork) failed.push(`${pathname}: ${name} takes ${work / 1e6} s of work`)
    }
  }
  assert.deepEqual(failed, [])
  assert.equal((await service.anonymous.get('/../healthz')).status, 200)
  for (const page of ['f', 'r'] as const) {
    assert.equal(seen.get(`${page} a part without a name`), 400)
    assert.equal(seen.get(`${page} a boundary of 5000 characters`), 400)
    assert.equal(seen.get(`${page} no boundary`), 400)
  }
})

test('who sent a form that cannot be read is told so in words, with what its program has to mend', async () => {
  const template = await aTemplate(service, tenant)
  const url = (template.publicUrl as string).replace('https://matricula.example', service.address)
  const send = (accept: string) =>
    fetch(`${url}?lang=es`, {
      method: 'POST',
      headers: { accept, 'content-type': `multipart/form-data; boundary=${'b'.repeat(5000)}` },
      body: 'x',
    })
  const problem = (await (await send('application/json')).json()) as Record<string, unknown>
  assert.equal(problem.code, 'validation_failed')
  assert.deepEqual(problem.errors, [
    {
      in: 'header',
      name: 'Content-Type',
      code: 'format',
      detail: 'must name a boundary of 1 to 70 characters (RFC 2046 §5.1.1)',
    },
  ])
  const page = await send('text/html')
  assert.equal(page.status, 400)
  assert.match(await page.text(), /No se pudo leer el formulario\. Abra la página de nuevo/)
})
