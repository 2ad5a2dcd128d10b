import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { findTooling, skipWithout } from '../testing/fixtures/tooling.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const tooling = findTooling()
const skip = skipWithout(tooling)

/** A value of which every field that nobody asks for is left in `unread`, by its path. */
function watched(value: unknown, path: string, unread: Set<string>): unknown {
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, each]) => [key, watched(each, `${path}/${key}`, unread)] as const)
  if (!Array.isArray(value)) for (const [key] of entries) unread.add(`${path}/${key}`)
  const copy = Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
  return new Proxy(copy, {
    get: (target, key) => {
      unread.delete(`${path}/${String(key)}`)
      return Reflect.get(target, key)
    },
  })
}

/** The versions of Kubernetes’ own API; the modules that have their kinds are named like them. */
const versions = new Set(['v1', 'apps/v1', 'batch/v1', 'networking.k8s.io/v1', 'policy/v1'])

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

type Models = Readonly<Record<string, ModelOfKind>>
type ModelOfKind = new (object: object) => Record<string, unknown> & { validate(): void }

/** What is wrong with an object of Kubernetes by the schemas of its API: a value, or a field that it does not have. */
function getErrors(models: NonNullable<typeof tooling>, object: Manifest): string[] {
  const { apiVersion, kind } = object
  const Model = versions.has(apiVersion) ? models.load<Models>(`kubernetes-models/${apiVersion}`)[kind] : undefined
  if (Model === undefined) return [`there is no ${object.kind} in ${object.apiVersion}`]
  const unread = new Set<string>()
  const model = new Model(object)
  for (const [key, value] of Object.entries(object)) Object.assign(model, { [key]: watched(value, `/${key}`, unread) })
  try {
    model.validate()
  } catch (error) {
    return [(error as Error).message]
  }
  return [...unread].map((path) => `${path} is no field`)
}

test('manifests are what the API of Kubernetes takes, without a field that it would pass over', { skip }, async () => {
  if (tooling === null) return
  const documents = ['matricula', 'housekeeping'].map((name) =>
    readFileSync(join(root, `deploy/kubernetes/${name}.yaml`), 'utf8'),
  )
  const objects = documents.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()))
  assert.ok(objects.length > 8)
  for (const object of objects)
    assert.deepEqual(getErrors(tooling, object), [], `${object.kind} ${object.metadata.name}`)
  const deployment = objects.find(({ kind }) => kind === 'Deployment')
  deployment.spec.replcas = 3
  assert.deepEqual(getErrors(tooling, deployment), ['/spec/replcas is no field'])
  deployment.spec.replicas = 'three'
  assert.match(getErrors(tooling, deployment).join(), /replicas must be integer/)
})
