import assert from 'node:assert/strict'
import { test } from 'node:test'
import { records } from '../../testing/fixtures/all-records.ts'
import { lintOpenApi } from '../../testing/fixtures/documentation/lint-openapi.ts'
import { findTooling, skipWithout } from '../../testing/fixtures/tooling.ts'
import { sessionMethods } from '../index.ts'
import { buildRecordOpenApi } from './record-openapi.ts'
import { recordPage } from './record-pages.ts'
import { getRuleText, withArticle } from './rule-words.ts'

const definitions = records.registry.all()
const methods = [...sessionMethods.values(), ...records.methods.values()]
const known = new Set(definitions.map(({ type }) => type.name))

const tooling = findTooling()
const skip = skipWithout(tooling)

test('the OpenAPI document of the Resource and Method API keeps Redocly’s recommended rules', { skip }, async () => {
  if (tooling === null) return
  const document = buildRecordOpenApi(
    'https://matricula.example',
    definitions.map(({ type }) => type),
    methods,
  )
  assert.deepEqual(await lintOpenApi(tooling, document, 'docs/reference/records-openapi.json'), [])
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

test('a page says in sentences what happens to a record, and names no function', () => {
  const fees = definitions.find(({ type }) => type.name === 'Fees')
  assert.ok(fees !== undefined)
  const text = recordPage(fees, known, 'https://matricula.example')
  assert.match(text, /The enrolment is the student’s own\./)
  assert.match(text, /Before cancellation/)
  for (const { type, rules } of definitions) {
    const functions = Object.values(rules).flatMap((ofMoment) => (Array.isArray(ofMoment) ? ofMoment : []))
    for (const { name } of functions as { name: string }[]) {
      if (name !== '') assert.notEqual(getRuleText(type.name, name), undefined, `${type.name} ${name} has no sentence`)
    }
  }
})

test('a noun has the article of its sound', () => {
  const nouns = definitions.map(({ type }) => withArticle(type.name))
  for (const noun of ['an Academic Year', 'an Employee', 'an Instructor', 'a User', 'a Student', 'a GL Entry']) {
    assert.ok(nouns.includes(noun), noun)
  }
})
