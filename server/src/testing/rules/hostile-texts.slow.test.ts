import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocumentTypeId, aQuestion, aRecordCaller, aRequest, aTemplate } from '../fixtures/factories.ts'
import { minWork } from '../fixtures/min-work.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { loadLocations } from '../runner/test-locations.ts'

const service = await startTestService({ authFailuresPerMinute: 1_000_000 })
const tenant = await service.tenant({ timeZone: 'America/Bogota', currency: 'COP' })
const locations = await loadLocations(service, tenant)

/** What patterns and sanitisers have been slow at: openings that nothing closes, blanks, marks, digits, parts of addresses. */
const pieces = [
  '<',
  '&',
  ' ',
  'a@',
  '[',
  '{',
  '(',
  '"',
  "'",
  '%',
  '\\',
  '\u0315\u0300',
  '<a ',
  '<!--',
  '=',
  '\u0001',
  '-',
  '.',
  ',',
  '1',
  '\n',
  '/',
  '#',
  '<a b=',
  '&nbsp;',
  'data-',
  '😀',
]
/** The most that all the texts of a request have together. */
const longest = 1_000_000
const longestOfAddress = 12_000

const repeated = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length))

/** The most work for one request: a second of the process, whatever the machine does beside it. A harmless text takes a twentieth. */
const maxWork = 1_000_000
const maxMilliseconds = 30_000

/** Does something while a health check is asked for beside it; tells what took too long. */
async function within(what: string, ...works: (() => Promise<{ readonly status: number }>)[]): Promise<string[]> {
  const validationErrors: string[] = []
  const taken = await minWork(maxWork, async () => {
    const begun = performance.now()
    const [health, ...answers] = await Promise.all([
      fetch(`${service.address}/healthz`),
      ...works.map((work) =>
        work().catch((error) => {
          throw new Error(`${what}: ${error.cause ?? error}`)
        }),
      ),
    ])
    await health.arrayBuffer()
    const milliseconds = performance.now() - begun
    if (milliseconds > maxMilliseconds) validationErrors.push(`${what}: ${Math.round(milliseconds)} ms`)
    for (const { status } of answers) if (status >= 500) validationErrors.push(`${what}: ${status}`)
    if (health.status !== 200) validationErrors.push(`${what}: the health check answered ${health.status}`)
  })
  if (taken > maxWork) validationErrors.push(`${what}: ${taken / 1e6} s of work`)
  return validationErrors
}

test('a text takes less than a second of work, wherever it is sent', async () => {
  const validationErrors: string[] = []
  const kinds = new Set<string>()
  const sendings: { what: string; send: () => Promise<{ readonly status: number }> }[] = []
  for (const [index, { name, kind, times, isInAddress, send }] of locations.entries()) {
    // One place of each kind gets every text, and each other one of them in turn.
    const isFirst = !kinds.has(kind)
    kinds.add(kind)
    for (const piece of isFirst ? pieces : [pieces[index % pieces.length] as string]) {
      const getText = () => repeated(piece, Math.min(longest / times, isFirst ? 200_000 : 40_000))
      const what = `${name} ${JSON.stringify(piece)}`
      sendings.push({ what, send: () => send(isInAddress ? encodable(getText()) : getText()) })
    }
  }
  // A few at once, which together take less than what one may.
  for (let at = 0; at < sendings.length; at += 4) {
    const few = sendings.slice(at, at + 4)
    validationErrors.push(...(await within(few.map(({ what }) => what).join(', '), ...few.map(({ send }) => send))))
  }
  assert.ok(kinds.size > 60, `${kinds.size} kinds`)
  assert.deepEqual(validationErrors, [])
})

test('a text of the largest size that a body may have takes hardly more work than harmless letters', async () => {
  const api = await aRecordCaller(service, tenant)
  const room = await api.post('/api/resource/Room', { room_name: 'Hall' })
  const put = (body: object) => api.put(`/api/resource/Room/${room.body.data.name}`, body)
  const longestOfBody = 8_000_000
  const sendings: Record<string, (text: string) => Promise<{ readonly status: number }>> = {
    'a name': (text) => put({ room_name: text }),
    'another field': (text) => put({ [text]: text }),
    'a text of an editor': (text) => api.post('/api/resource/Article', { title: 'a', content: text }),
    'a filter': (text) => api.post('/api/method/frappe.client.get_list', { doctype: 'Room', filters: { name: text } }),
    'an order': (text) => api.post('/api/method/frappe.client.get_list', { doctype: 'Room', order_by: text }),
    'a file': (filedata) => {
      const file = { filename: 'a.txt', filedata, decode_base64: 1 }
      return api.post('/api/method/frappe.client.attach_file', file)
    },
  }
  for (const [name, send] of Object.entries(sendings)) {
    const loadWork = (piece: string, max: number) => {
      const text = repeated(piece, longestOfBody)
      return minWork(max, async () => {
        const { status } = await send(text)
        assert.ok(status < 500, `${name} ${JSON.stringify(piece)}: ${status}`)
      })
    }
    const harmless = await loadWork('x', maxWork)
    const max = 4 * harmless + 2_000_000
    for (const piece of ['<', ' ', 'a@', '\u0315\u0300', '<a b=']) {
      const work = await loadWork(piece, max)
      assert.ok(work <= max, `${name} ${JSON.stringify(piece)}: ${work / 1e6} s, not ${harmless / 1e6}`)
    }
  }
})

/** As much of a text as fits into an address once it is percent-encoded. */
function encodable(text: string): string {
  let length = 0
  let end = 0
  for (const character of text) {
    length += encodeURIComponent(character).length
    if (length > longestOfAddress) break
    end += character.length
  }
  return text.slice(0, end)
}

test('the pages for people without an account take every text that a form may have in less than a second of work', async () => {
  const types = ['text', 'textarea', 'number', 'date', 'email', 'phone', 'checkbox', 'signature'] as const
  const choices = ['select', 'multiselect'] as const
  const options = [{ value: 'a', label: 'A' }]
  const fields = [
    ...types.map((type) => aQuestion(type, { type })),
    ...choices.map((type) => aQuestion(type, { type, options })),
    aQuestion('patterned', { validation: { pattern: '[a-z]+( [a-z]+)?', maxLength: 200 } }),
    aQuestion('proof', { type: 'file', validation: { documentTypeKey: 'photo' } }),
  ]
  const template = await aTemplate(service, tenant, { fields })
  const documentTypeId = await aDocumentTypeId(tenant.api, 'birth_certificate')
  const request = await aRequest(tenant.api, { items: [{ documentTypeId, label: 'Certificate' }] })
  const here = (url: string) => url.replace('https://matricula.example', service.address)
  const form = here(template.publicUrl as string)
  const upload = `${here(request.publicUrl as string)}/items/${request.items[0]?.id}`
  const send = (address: string, add: (body: FormData) => void) => {
    const body = new FormData()
    add(body)
    return fetch(address, { method: 'POST', redirect: 'manual', body })
  }
  const max = 60_000
  const validationErrors: string[] = []
  for (const piece of pieces) {
    const text = repeated(piece, max)
    const everywhere = (body: FormData) => {
      for (const { key, type } of fields) if (type !== 'file') body.append(`answer.${key}`, text)
      body.append('submission', text.slice(0, 200))
    }
    const named = (body: FormData) => body.append('answer.proof', new Blob(['x']), text)
    const file = (body: FormData) => body.append('file', new Blob([text], { type: 'text/html' }), text)
    const shown = JSON.stringify(piece)
    validationErrors.push(
      ...(await within(`answers ${shown}`, () => send(form, everywhere))),
      ...(await within(`names of files ${shown}`, () => send(form, named))),
      ...(await within(`a file of a request ${shown}`, () => send(upload, file))),
    )
  }
  assert.deepEqual(validationErrors, [])
})

test('the pages of accounts and the uploads of records take every text in less than a second of work', async () => {
  const school = `${service.address}/t/${tenant.slug}`
  const api = await aRecordCaller(service, tenant)
  const validationErrors: string[] = []
  for (const piece of pieces) {
    const shown = JSON.stringify(piece)
    const text = repeated(piece, 300_000 / Math.max(1, encodeURIComponent(piece).length / piece.length))
    const names = ['user', 'key', 'new_password', 'csrf_token', 'cmd', 'sid']
    for (const name of names) {
      const post = (page: string) => () =>
        fetch(`${school}/${page}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ [name]: text }) })
      validationErrors.push(...(await within(`${name} of /login ${shown}`, post('login'))))
      validationErrors.push(...(await within(`${name} of /update-password ${shown}`, post('update-password'))))
    }
    const body = new FormData()
    body.append('file', new Blob([text]), repeated(piece, 60_000))
    body.append('doctype', text)
    validationErrors.push(
      ...(await within(`upload_file ${shown}`, () => api.send('POST', '/api/method/upload_file', body))),
      ...(await within(`a form of a record ${shown}`, () =>
        api.send('POST', '/api/resource/Room', new URLSearchParams({ room_name: text, [text.slice(0, 1000)]: '1' })),
      )),
    )
  }
  assert.deepEqual(validationErrors, [])
})

const headers = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-frappe-csrf-token',
  'x-http-method-override',
]

test('a header of every text takes less than a second of work', async () => {
  const { secret } = await tenant.token()
  const validationErrors: string[] = []
  const addresses = ['/v1/payments', `/t/${tenant.slug}/login`, `/t/${tenant.slug}/api/resource/Room`, '/r/x', '/docs']
  for (const [index, header] of headers.entries()) {
    for (const piece of pieces.filter((each) => /^[\x20-\x7e]+$/.test(each))) {
      const shown = JSON.stringify(piece)
      const value = repeated(piece, 14_000)
      const starts = { authorization: ['Bearer ', 'Basic ', 'token ', ''], cookie: ['sid=', ''] }[header as string] ?? [
        '',
      ]
      for (const start of starts) {
        const address = addresses[index % addresses.length] as string
        const method = index % 2 === 0 ? 'GET' : 'POST'
        validationErrors.push(
          ...(await within(`${header} ${start}${shown}`, () =>
            fetch(service.address + address, {
              method,
              redirect: 'manual',
              headers: { authorization: `Bearer ${secret}`, [header]: `${start}${value}x` },
              ...(method === 'POST' && { body: '{}' }),
            }),
          )),
        )
      }
    }
  }
  assert.deepEqual(validationErrors, [])
})
