import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { publishedPackage } from '../../testing/fixtures/published-package.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

/** What is tried, and what its resources need; with all that the package draws pages with it has 279 MB. */
const frappeUi = 'frappe-ui@0.1.278'
const { folder, missing } = await publishedPackage(frappeUi, ['vue@3.5.45', 'idb-keyval@6.3.0', 'esbuild@0.25.9'])

// biome-ignore lint/suspicious/noExplicitAny: the package has no types of its own for these
type Resource = any

type Resources = Record<
  'createResource' | 'createListResource' | 'createDocumentResource',
  (options: object) => Resource
> & {
  setConfig(key: string, value: unknown): void
  frappeRequest(options: object): Promise<unknown>
}

/** The resources of the package, in one file. */
async function bundled(): Promise<Resources> {
  const exported = ['resources/index.ts', 'utils/frappeRequest.js', 'utils/config.ts']
  await writeFile(join(folder, 'entry.js'), exported.map((file) => `export * from './package/src/${file}'\n`).join(''))
  const bundle = join(folder, 'resources.mjs')
  await promisify(execFile)(
    join(folder, 'node_modules/.bin/esbuild'),
    ['entry.js', '--bundle', '--format=esm', '--platform=node', `--outfile=${bundle}`],
    { cwd: folder },
  )
  return import(pathToFileURL(bundle).href)
}

test('frappe-ui’s own resources list, page, insert, change, run and delete records', { skip: missing }, async () => {
  const ui = await bundled()
  const service = await startTestService()
  const tenant = await service.tenant()
  const { id, secret } = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  // What a page of the institution's own address has.
  Object.assign(globalThis, { window: { location: new URL(service.address) } })
  ui.setConfig('resourceFetcher', (options: { url: string }) =>
    ui.frappeRequest({
      ...options,
      url: `${service.address}/t/${tenant.slug}/api/method/${options.url}`,
      headers: { authorization: `token ${id}:${secret}` },
    }),
  )
  const doctype = 'Academic Year'
  const all = ui.createListResource({ doctype })
  for (const start of [2026, 2027, 2028]) {
    await all.insert.submit({
      academic_year_name: `${start}-${start + 1}`,
      year_start_date: `${start}-08-01`,
      year_end_date: `${start + 1}-06-30`,
    })
  }
  // A resource fetches its list behind each insertion, which would get in the way of paging.
  const list = ui.createListResource({
    doctype,
    fields: ['name', 'year_end_date', '_user_tags'],
    orderBy: 'name desc',
    pageLength: 2,
  })
  const names = () => (list.data ?? []).map(({ name }: { name: string }) => name)
  await list.reload()
  assert.deepEqual([names(), list.hasNextPage], [['2028-2029', '2027-2028'], true])
  list.next()
  await until(
    () => names().length === 3,
    () => `the second page behind ${names()}`,
    20,
  )
  assert.deepEqual([names().at(-1), list.hasNextPage], ['2026-2027', false])
  await list.setValue.submit({ name: '2026-2027', year_end_date: '2027-07-15' })
  const tag = ui.createResource({ url: 'frappe.desk.doctype.tag.tag.add_tag' })
  assert.equal(await tag.submit({ tag: 'Next', dt: doctype, dn: '2026-2027' }), 'Next')
  const one = ui.createDocumentResource({ doctype, name: '2026-2027', auto: false })
  await one.get.fetch()
  assert.equal(one.doc.year_end_date, '2027-07-15')
  await one.setValue.submit({ year_end_date: '2027-07-20' })
  assert.equal(one.doc.year_end_date, '2027-07-20')
  await list.delete.submit('2028-2029')
  const tagged = ui.createListResource({
    doctype,
    fields: ['name', '_user_tags'],
    filters: { _user_tags: ['like', '%next%'] },
  })
  await tagged.reload()
  assert.deepEqual(JSON.parse(JSON.stringify(tagged.data)), [{ name: '2026-2027', _user_tags: ',Next' }])
  const rejected = ui.createDocumentResource({ doctype, name: '1900-1901', auto: false })
  await assert.rejects(rejected.get.fetch(), (error: { exc_type?: string }) => error.exc_type === 'DoesNotExistError')
})
