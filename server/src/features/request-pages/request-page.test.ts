import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { altered } from '../../testing/fixtures/altered.ts'
import { aDocumentTypeId, aRequest, pdf } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

/** A request for a birth certificate: the addresses of its page and of the upload of its item. */
async function aLink(body: object = {}) {
  const tenant = await service.tenant()
  const documentTypeId = await aDocumentTypeId(tenant.api, 'birth_certificate')
  const request = await aRequest(tenant.api, { items: [{ documentTypeId, label: 'Certificate' }], ...body })
  const url = (request.publicUrl as string).replace('https://matricula.example', service.address)
  const stored = async () => (await tenant.api.get(`/vault/requests/${request.id}`)).body.data
  return { tenant, request, url, upload: `${url}/items/${request.items[0]?.id}`, stored }
}

function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', headers })
}

function post(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', headers })
}

function send(url: string, bytes: Uint8Array = pdf, headers: Record<string, string> = {}): Promise<Response> {
  const body = new FormData()
  body.append('file', new Blob([bytes as never], { type: 'application/pdf' }), 'certificate.pdf')
  return fetch(url, { method: 'POST', redirect: 'manual', headers, body })
}

async function loadProblem(response: Response): Promise<[number, string, string]> {
  const { code, detail } = (await response.json()) as { code: string; detail: string }
  return [response.status, code, detail]
}

const script = { accept: 'application/json' }

test('the request page: in the chosen language, else the request’s, else the browser’s', async () => {
  const { url } = await aLink({ locale: 'pt' })
  const findLanguage = async (query: string, headers: Record<string, string> = {}) =>
    /<html lang="(\w+)">/.exec(await (await get(url + query, headers)).text())?.[1]
  assert.equal(await findLanguage(''), 'pt')
  assert.equal(await findLanguage('', { 'accept-language': 'es-CL, en;q=0.5' }), 'pt')
  assert.equal(await findLanguage('?lang=en', { 'accept-language': 'es-CL' }), 'en')
  const { url: withoutLanguage } = await aLink()
  const response = await get(withoutLanguage, { 'accept-language': 'fr-CA, en;q=0.5' })
  assert.match(await response.text(), /<html lang="fr">/)
})

test('the request page: fifty documents take less than 20 kB', async () => {
  const tenant = await service.tenant()
  const documentTypeId = await aDocumentTypeId(tenant.api, 'birth_certificate')
  const items = Array.from({ length: 50 }, (_, index) => ({ documentTypeId, label: `Certificate ${index + 1}` }))
  const request = await aRequest(tenant.api, { items })
  const path = new URL(request.publicUrl as string).pathname
  const findSize = (encoding: string) =>
    new Promise<[string | undefined, number]>((resolve, reject) => {
      const sent = httpRequest(service.address + path, { headers: { 'accept-encoding': encoding } }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.on('end', () => resolve([response.headers['content-encoding'], bytes]))
      })
      sent.on('error', reject).end()
    })
  const [encoding, bytes] = await findSize('br, gzip')
  assert.equal(encoding, 'gzip')
  assert.ok(bytes < 20_000, `${bytes} bytes`)
  assert.equal((await findSize('gzip;q=0, identity'))[0], undefined)
})

test('the request page: the first view is recorded with the link as actor', async () => {
  const { url, request, stored, tenant } = await aLink()
  assert.equal((await get(url)).status, 200)
  assert.notEqual((await stored()).firstViewedAt, null)
  assert.deepEqual((await tenant.traces(request.id)).events, ['vault_request.created', 'vault_request.updated'])
})

test('the request page: a file becomes a document with audit and event, and redirects to its item', async () => {
  const { url, upload, stored, request, tenant } = await aLink()
  const response = await send(`${upload}?lang=es`)
  assert.equal(response.status, 303)
  const next = new URL(response.headers.get('location') as string, upload).href
  assert.equal(next, `${url}?lang=es#item-${request.items[0]?.id}`)
  const { status, items } = await stored()
  assert.deepEqual([status, items[0].status], ['partially_completed', 'uploaded'])
  const { audit, events } = await tenant.traces(items[0].documentId)
  assert.deepEqual([audit, events], [['vault_document.created'], ['vault_document.created']])
  const { goTo } = (await (await send(upload, pdf, script)).json()) as { goTo: string }
  assert.equal(new URL(goTo, upload).href, `${url}#item-${request.items[0]?.id}`)
})

test('the request page: a rejected file is explained at its item and not stored', async () => {
  const { upload, stored } = await aLink()
  const text = Buffer.from('just words')
  const page = await send(upload, text)
  assert.equal(page.status, 422)
  assert.match(await page.text(), /<title>Error: [\s\S]*Certificate: The file’s content does not match its name/)
  const [status, code, detail] = await loadProblem(await send(`${upload}?lang=es`, text, script))
  assert.deepEqual([status, code], [422, 'file_rejected'])
  assert.match(detail, /El contenido del archivo no corresponde a su nombre/)
  assert.deepEqual(await loadProblem(await send(upload, Buffer.alloc(20 * 1024 * 1024 + 1), script)), [
    413,
    'content_too_large',
    'The file is too large. The limit is 20 MB.',
  ])
  assert.equal((await stored()).items[0].documentId, null)
})

test('the request page: a form without a file says so', async () => {
  const { upload } = await aLink()
  const form = new FormData()
  form.append('file', new Blob([]), '')
  const response = await fetch(upload, { method: 'POST', body: form })
  assert.match(await response.text(), /Certificate: Choose a file first\./)
})

test('the request page: submitted once everything required has a file, else it lists what is missing', async () => {
  const { url, upload, stored, request, tenant } = await aLink()
  assert.equal((await get(`${url}/receipt`)).headers.get('location'), `../../r/${url.split('/').at(-1)}`)
  const early = await post(`${url}/submit`)
  assert.equal(early.status, 422)
  assert.match(await early.text(), /Not sent yet. Still missing: Certificate\./)
  await send(upload)
  const sent = await post(`${url}/submit`)
  assert.equal(sent.status, 303)
  const receipt = await get(new URL(sent.headers.get('location') as string, `${url}/submit`).href)
  assert.match(await receipt.text(), /certificate\.pdf/)
  assert.notEqual((await stored()).submittedAt, null)
  assert.equal((await tenant.traces(request.id)).events.filter((type) => type === 'vault_request.updated').length, 2)
})

test('the request page: a file is removable until reviewed', async () => {
  const { upload, stored, tenant } = await aLink()
  await send(upload)
  assert.equal((await post(`${upload}/remove`)).status, 303)
  assert.equal((await stored()).items[0].status, 'pending')
  await send(upload)
  const { documentId } = (await stored()).items[0]
  await tenant.api.patch(`/vault/documents/${documentId}`, { status: 'approved' })
  const late = await post(`${upload}/remove`, script)
  assert.deepEqual((await loadProblem(late)).slice(0, 2), [409, 'state_conflict'])
})

test('the request page: a revoked or expired link is 410 with a contact, for forms too', async () => {
  for (const how of ['revoked', 'expired'] as const) {
    const { url, upload, request, tenant } = await aLink()
    if (how === 'revoked') await tenant.api.patch(`/vault/requests/${request.id}`, { status: 'revoked' })
    else {
      const text = `update document_requests set expires_at = now() - interval '1 s' where id = $1`
      await service.database.inspect(text, [request.id])
    }
    for (const response of [
      get(url),
      send(upload),
      post(`${url}/submit`),
      post(`${upload}/remove`),
      get(`${url}/receipt`),
    ]) {
      const { status, text } = await response.then(async (got) => ({ status: got.status, text: await got.text() }))
      assert.equal(status, 410)
      assert.ok(text.includes(`ask ${tenant.name} for a new link`))
    }
    assert.deepEqual((await loadProblem(await send(upload, pdf, script))).slice(0, 2), [410, `link_${how}`])
  }
})

test('the request page: an unknown link is 404, and names nobody', async () => {
  const { url } = await aLink()
  for (const other of [altered(url), `${service.address}/r/x`, `${url}/items/none`, `${url}/elsewhere`]) {
    const response = other.endsWith('none') ? await send(other) : await get(other)
    assert.equal(response.status, 404, other)
    assert.doesNotMatch(await response.text(), /School school/)
  }
})

test('the request page: a POST-only address redirects to the page', async () => {
  const { url, upload } = await aLink()
  for (const address of [upload, `${upload}/remove`, `${url}/submit`]) {
    const response = await get(address)
    assert.equal(new URL(response.headers.get('location') as string, address).href, url)
  }
})

test('the request page: the log contains neither link nor file name', async () => {
  service.logged.length = 0
  const { url, upload } = await aLink()
  await get(url)
  await send(upload)
  await send(upload, Buffer.from('no'))
  const log = service.logged.join('')
  assert.match(log, /"operation":"uploadRequestFile"/)
  for (const secret of [url.split('/').at(-1) as string, 'certificate.pdf', '/r/']) assert.ok(!log.includes(secret))
})
