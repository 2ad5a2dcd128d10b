import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { records } from '../../testing/all-records.ts'
import { sessionMethods } from '../protocol/index.ts'
import { buildRecordOpenApi } from './record-openapi.ts'
import { methodPage, pageName, recordIndexPage, recordPage } from './record-pages.ts'

const definitions = records.registry.all()
const methods = [...sessionMethods.values(), ...records.methods.values()]
const known = new Set(definitions.map(({ type }) => type.name))
const root = new URL('../../../../', import.meta.url)

test('the OpenAPI document of the Resource and Method API keeps Redocly’s recommended rules', async () => {
  const types = definitions.map(({ type }) => type)
  const found = await lintFromString({
    source: JSON.stringify(buildRecordOpenApi('https://matricula.example', types, methods)),
    absoluteRef: fileURLToPath(new URL('docs/reference/records-openapi.json', root)),
    config: await createConfig({ extends: ['recommended'] }),
  })
  assert.deepEqual(
    found.map(({ ruleId, message }) => ({ ruleId, message })),
    [],
  )
})

test('every type and every method has a page with its fields, links, states, rules and arguments', () => {
  const index = recordIndexPage(definitions, methods)
  for (const definition of definitions) {
    const { name, fields } = definition.type
    assert.ok(index.includes(`>${name}</a>`), name)
    const text = recordPage(definition, known)
    for (const field of Object.keys(fields)) assert.ok(text.includes(`<code>${field}</code>`), `${name} ${field}`)
  }
  for (const method of methods) {
    assert.ok(index.includes(method.path))
    const text = methodPage(method)
    for (const name of Object.keys(method.parameters)) assert.ok(text.includes(`<code>${name}</code>`), method.path)
  }
})

test('a method is in the OpenAPI document by each verb of GET and POST that it takes, with the same arguments', () => {
  const { paths } = buildRecordOpenApi('https://matricula.example', [], methods) as {
    paths: Record<string, { get?: { parameters: { name: string }[] }; post?: { requestBody?: unknown } }>
  }
  assert.equal(Object.keys(paths).length, methods.length, 'no two methods have one path')
  for (const { path, verbs = ['GET', 'POST'], parameters } of methods) {
    const { get, post } = paths[`/api/method/${path}`] ?? {}
    assert.deepEqual([get !== undefined, post !== undefined], [verbs.includes('GET'), verbs.includes('POST')], path)
    const named = get?.parameters.map(({ name }) => name)
    if (get !== undefined) assert.deepEqual(named, Object.keys(parameters), path)
  }
  for (const path of ['login', 'logout', 'ping', 'upload_file', 'run_doc_method', 'frappe.client.get_time_zone']) {
    assert.ok(`/api/method/${path}` in paths, path)
  }
})

test('a page says when its rules run', () => {
  const fees = definitions.find(({ type }) => type.name === 'Fees')
  assert.ok(fees !== undefined)
  const text = recordPage(fees, known)
  assert.match(text, /require own enrollment/)
  assert.match(text, /Before cancellation/)
})

test('every link of these pages leads to a page or an asset that exists, and none to another site', () => {
  const origin = 'https://matricula.example'
  const pages = new Map([
    ['/docs/records', recordIndexPage(definitions, methods)],
    ...definitions.map((definition): [string, string] => [
      `/docs/records/${pageName(definition.type)}`,
      recordPage(definition, known),
    ]),
    ...methods.map((method): [string, string] => [`/docs/methods/${method.path}`, methodPage(method)]),
  ])
  const others = [
    '/docs',
    '/problems',
    '/docs/style.css',
    '/docs/icon.svg',
    '/v1/openapi.json',
    '/docs/records/openapi.json',
  ]
  const reachable = new Set([...pages.keys(), ...others])
  for (const [path, page] of pages) {
    for (const [, link = ''] of page.matchAll(/(?:href|src)="([^"#]+)"/g)) {
      const target = new URL(link.replaceAll('&#38;', '&'), origin + path)
      assert.equal(target.origin, origin)
      assert.ok(reachable.has(target.pathname), `${path} links to ${link}`)
    }
  }
})
