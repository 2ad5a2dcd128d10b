import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { publishedPackage } from '../../testing/fixtures/published-package.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const { folder, missing } = await publishedPackage(
  'n8n-nodes-base@2.41.2',
  ['n8n-workflow@2.41.0', 'lodash@4.18.1'],
  ['dist/nodes/ERPNext', 'dist/credentials/ERPNextApi.credentials.js', 'package.json'],
)

interface Option {
  readonly name: string
  readonly value: string
}

type LoadOptions = (this: object) => Promise<Option[]>

/** The node as far as it is used here; the package has its types elsewhere. */
interface Node {
  readonly methods: { readonly loadOptions: Readonly<Record<'getDocTypes' | 'getDocFields', LoadOptions>> }
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
  execute(this: object): Promise<[{ json: any }[]]>
}

interface Sent {
  readonly method: string
  readonly uri: string
  readonly body?: object
  readonly qs?: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** What n8n hands a node when it runs: its parameters, its credentials, and how requests are sent. */
function getContext(parameters: object, domain: string, authorization: string): object {
  const given = parameters as Readonly<Record<string, unknown>>
  return {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'ERPNext', type: 'n8n-nodes-base.erpNext', typeVersion: 1, parameters }),
    getNodeParameter: (name: string) => given[name],
    getCurrentNodeParameter: (name: string) => given[name],
    getCredentials: async () => ({ environment: 'selfHosted', domain, allowUnauthorizedCerts: false }),
    helpers: {
      requestWithAuthentication: async (_type: string, { method, uri, body, qs, headers }: Sent) => {
        const response = await fetch(qs === undefined ? uri : `${uri}?${new URLSearchParams(qs)}`, {
          method,
          headers: { ...headers, authorization },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        if (response.ok) return response.json()
        throw Object.assign(new Error(await response.text()), { statusCode: response.status })
      },
      returnJsonArray: (data: unknown) => [data].flat().map((json) => ({ json })),
      constructExecutionMetaData: (items: unknown) => items,
    },
  }
}

test('n8n’s own ERPNext node finds types and fields, and makes, lists, changes and deletes records', {
  skip: missing,
}, async () => {
  const { ERPNext } = createRequire(join(folder, 'index.js'))('./package/dist/nodes/ERPNext/ERPNext.node.js')
  const node = new ERPNext() as Node
  const service = await startTestService()
  const tenant = await service.tenant()
  const { id, secret } = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  const context = (parameters: object) =>
    getContext({ resource: 'document', ...parameters }, `${service.address}/t/${tenant.slug}`, `token ${id}:${secret}`)
  const types = await node.methods.loadOptions.getDocTypes.call(context({}))
  const docType = types.find(({ name }) => name === 'Academic Year')?.value
  assert.equal(docType, 'Academic%20Year')
  const fields = await node.methods.loadOptions.getDocFields.call(context({ docType }))
  assert.ok(fields.some(({ name, value }) => name === 'Year Start Date' && value === 'year_start_date'))
  const run = async (operation: string, parameters: object) => {
    const [items] = await node.execute.call(context({ docType, operation, ...parameters }))
    return items.map(({ json }) => json)
  }
  const properties = (values: object) => ({
    properties: { customProperty: Object.entries(values).map(([field, value]) => ({ field, value })) },
  })
  for (const start of [2026, 2027]) {
    const year = {
      academic_year_name: `${start}-${start + 1}`,
      year_start_date: `${start}-08-01`,
      year_end_date: `${start + 1}-06-30`,
    }
    const [made] = await run('create', properties(year))
    assert.equal(made.name, `${start}-${start + 1}`)
  }
  const page = await run('getAll', { options: { fields: ['name', 'year_end_date'] }, returnAll: false, limit: 1 })
  assert.deepEqual(page, [{ name: '2026-2027', year_end_date: '2027-06-30' }])
  assert.equal((await run('getAll', { options: { fields: ['*'] }, returnAll: true })).length, 2)
  const [changed] = await run('update', { documentName: '2026-2027', ...properties({ year_end_date: '2027-07-15' }) })
  assert.equal(changed.year_end_date, '2027-07-15')
  const [read] = await run('get', { documentName: '2026-2027' })
  assert.equal(read.year_end_date, '2027-07-15')
  await run('delete', { documentName: '2027-2028' })
  assert.equal((await run('getAll', { options: {}, returnAll: true })).length, 1)
  // In filters the node names the type as its address does, so that only types of one word can be filtered.
  await run('create', { docType: 'Room', ...properties({ room_name: 'Workshop', seating_capacity: 12 }) })
  const filters = { customProperty: [{ field: 'seating_capacity', operator: 'greater', value: 10 }] }
  const [room] = await run('getAll', { docType: 'Room', options: { fields: ['room_name'], filters }, returnAll: true })
  assert.deepEqual(room, { room_name: 'Workshop' })
  await assert.rejects(run('get', { docType: 'Nonsense', documentName: 'x' }), { statusCode: 404 })
})
