import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type Answer, type Sending, send } from './place.ts'
import { ServiceUnderProof } from './service.ts'

/** What of an OpenAPI document is used. */
interface ApiDocument {
  readonly servers: readonly {
    readonly url: string
    readonly variables?: Record<string, { readonly default: string }>
  }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
}

interface ApiOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly content?: object; readonly headers?: object }>>
}

/** An institution's OneRoster services: the address below which they are, and a token with all of their rights. */
interface RosterAccess {
  readonly address: string
  readonly token: string
}

// biome-ignore lint/suspicious/noExplicitAny: objects of every class
type Item = Record<string, any>

/**
 * Judges every response of the OneRoster services by the OpenAPI documents of 1EdTech in a folder: each operation is called as
 * clients call it, and with what it must reject. Returns whether all answers have a status, headers and a body that the
 * documents allow. Line items and what belongs to them, called `acceptance-…`, are made and deleted.
 */
export async function proveOneRoster(location: RosterAccess, folder: string): Promise<boolean> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const documents = await Promise.all(
    names.map(async (name): Promise<ApiDocument> => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  )
  const judges = documents.filter(({ paths }) => paths !== undefined).map((each) => new Judge(location, each))
  if (judges.length === 0) throw new Error(`${folder} has no OpenAPI document.`)
  const known = new KnownObjects()
  const findJudge = (path: string) => judges.find((judge) => judge.has('get', path))
  const [rostering, gradebook] = [findJudge('/classes'), findJudge('/lineItems')]
  if (rostering !== undefined) await readLists(rostering, known)
  if (gradebook !== undefined && rostering !== undefined) await writeObjects(gradebook, known)
  for (const judge of judges) await readEverything(judge, known)
  if (gradebook !== undefined) await deleteObjects(gradebook)
  for (const judge of judges) process.stdout.write(`${judge.summary()}\n`)
  const faults = judges.flatMap((judge) => [...judge.faults])
  for (const [fault, count] of faults) process.stdout.write(`FAULT ${fault}${count > 1 ? ` (${count} times)` : ''}\n`)
  return faults.length === 0 && judges.every((judge) => judge.uncalled().length === 0)
}

/** The same against a service that is started for it, with the example institution. */
export async function proveOneRosterHere(folder: string): Promise<boolean> {
  const service = await ServiceUnderProof.start()
  try {
    const example = fileURLToPath(new URL('../../examples/institution-grand-bend', import.meta.url))
    await service.command('import', 'institution', example, '--tenant', 'proof')
    const scopes = 'roster:read,roster-demographics:read,gradebook:read,gradebook:write'
    const made = await service.command(
      ...['token', 'create', '--tenant', 'proof', '--name', 'OneRoster', '--scopes', scopes],
      ...['--requests-per-minute', '1000000'],
    )
    return await proveOneRoster({ address: `${service.place.address}/t/proof`, token: made.token as string }, folder)
  } finally {
    await service.stop()
  }
}

/** What is known of the objects by their collections, for the parameters of paths. */
class KnownObjects {
  readonly #objects = new Map<string, Item[]>()

  add(collection: string, objects: readonly Item[]): void {
    this.#objects.set(collection, [...(this.#objects.get(collection) ?? []), ...objects])
  }

  of(collection: string): readonly Item[] {
    return this.#objects.get(collection) ?? []
  }

  /** The paths that a template with parameters makes: for each one some objects, and one that there is not. */
  paths(template: string): string[] {
    const steps = template.split('/').slice(1)
    let paths = ['']
    for (const [index, step] of steps.entries()) {
      if (!step.startsWith('{')) {
        paths = paths.map((path) => `${path}/${step}`)
        continue
      }
      const objects = this.of(steps[index - 1] as string)
      const ids = [...spread(objects.filter(({ status }) => status !== 'tobedeleted')), ...spread(objects)]
      const chosen = [...new Set(ids.map(({ sourcedId }) => sourcedId as string)), 'acceptance-nothing']
      paths = paths.flatMap((path) => chosen.map((id) => `${path}/${encodeURIComponent(id)}`))
    }
    return paths
  }
}

/** The first, the middle and the last. */
function spread<Each>(list: readonly Each[]): Each[] {
  return [list[0], list[list.length >> 1], list.at(-1)].filter((each) => each !== undefined)
}

/** Calls the operations of one document, and keeps what it forbids. */
class Judge {
  /** Each fault once, and how often it was seen. */
  readonly faults = new Map<string, number>()
  readonly document: ApiDocument
  readonly #location: RosterAccess
  readonly #base: string
  readonly #ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
  readonly #validators = new Map<string, ValidateFunction | null>()
  readonly #called = new Set<string>()
  #responses = 0

  constructor(location: RosterAccess, document: ApiDocument) {
    this.#location = location
    this.document = document
    this.#base = document.servers[0]?.variables?.basePath?.default ?? ''
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, 'document')
  }

  has(method: string, path: string): boolean {
    return this.document.paths[path]?.[method] !== undefined
  }

  operations(): { method: string; path: string; operation: ApiOperation }[] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
  }

  uncalled(): string[] {
    return this.operations()
      .map(({ operation }) => operation.operationId)
      .filter((id) => !this.#called.has(id))
  }

  summary(): string {
    const uncalled = this.uncalled()
    const operations = this.operations().length
    const missing = uncalled.length === 0 ? '' : `, not called: ${uncalled.join(', ')}`
    return `${this.#base}: ${operations - uncalled.length} of ${operations} operations, ${this.#responses} answers, ${this.faults.size} faults${missing}`
  }

  /**
   * Calls an operation and judges what it answers.
   *
   * @param template The path as the document has it
   * @param wanted The statuses that the response may have; absent: whatever the document lists
   */
  async call(
    method: string,
    template: string,
    path: string,
    sending: Sending & { readonly wanted?: readonly number[] } = {},
  ): Promise<Answer> {
    const operation = this.document.paths[template]?.[method] as ApiOperation
    const { wanted, ...rest } = sending
    const headers = { authorization: `Bearer ${this.#location.token}`, ...rest.headers }
    const response = await send(this.#location.address + this.#base + path, {
      ...rest,
      method: method.toUpperCase(),
      headers,
    })
    this.#responses += 1
    this.#called.add(operation.operationId)
    const fault = (text: string) => {
      const line = `${method.toUpperCase()} ${template}: ${response.status} ${text}`
      this.faults.set(line, (this.faults.get(line) ?? 0) + 1)
    }
    const { status } = response
    const listed = operation.responses[status]
    if (wanted !== undefined && !wanted.includes(status)) fault(`is not ${wanted.join(' or ')}, for ${path}`)
    if (listed === undefined) fault('is no status of the operation')
    if (status >= 500) fault('is an error of the service')
    if (listed?.headers !== undefined && !/^\d+$/.test(response.headers.get('x-total-count') ?? '')) {
      fault('has no X-Total-Count')
    }
    const validate = this.#validator(template, method, listed === undefined ? 'default' : String(status))
    // Who asks for some members gets no others, also where the document requires them.
    const isWhole = status >= 300 || !path.includes('?fields=')
    if (isWhole && validate !== null && !validate(response.body)) {
      for (const { instancePath, message, params } of validate.errors ?? []) {
        fault(`body${instancePath.replaceAll(/\/\d+/g, '/…')} ${message} ${JSON.stringify(params)}`)
      }
    }
    if (validate === null && status < 300 && response.bytes.length > 0) fault('has a body, and the document has none')
    return response
  }

  #validator(path: string, method: string, status: string): ValidateFunction | null {
    const operation = this.document.paths[path]?.[method]
    if (operation?.responses[status]?.content === undefined) return null
    const steps = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema']
    const $ref = `document#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    const known = this.#validators.get($ref)
    if (known !== undefined) return known
    const compiled = this.#ajv.compile({ $ref })
    this.#validators.set($ref, compiled)
    return compiled
  }
}

const isList = (operation: ApiOperation) => operation.responses['200']?.headers !== undefined
const firstList = (body: Item | null): Item[] => {
  const list = Object.values(body ?? {})[0]
  return Array.isArray(list) ? list : []
}

/** Reads every list of a service to its end, and remembers its objects. */
async function readLists(judge: Judge, known: KnownObjects): Promise<void> {
  for (const { method, path, operation } of judge.operations()) {
    if (method !== 'get' || !isList(operation) || path.includes('{')) continue
    for (let offset = 0; ; offset += 500) {
      const { body } = await judge.call(method, path, `${path}?limit=500&offset=${offset}`, { wanted: [200] })
      const objects = firstList(body)
      known.add(path.slice(1), objects)
      if (objects.length < 500) break
    }
  }
}

/** Query strings of lists that are right, and what each must bring. */
const rightQueries = [
  '',
  '?limit=2&offset=1',
  '?limit=10000',
  '?offset=1000000',
  '?sort=dateLastModified&orderBy=desc',
  "?filter=status%3D'active'",
  "?filter=dateLastModified%3E'2020-01-01T00:00:00.000Z'%20AND%20status!%3D'tobedeleted'",
  '?fields=sourcedId,status,dateLastModified',
]
const wrongQueries: readonly (readonly [query: string, statuses: readonly number[]])[] = [
  ['?limit=0', [422]],
  ['?limit=many', [422]],
  ['?offset=-1', [422]],
  ["?filter=noSuchField%3D'x'", [400]],
  ['?filter=%3D%3D', [400]],
  ['?fields=noSuchField', [400]],
]

/** Calls every read of a service, rightly and wrongly. */
async function readEverything(judge: Judge, known: KnownObjects): Promise<void> {
  for (const { method, path, operation } of judge.operations()) {
    if (method !== 'get') continue
    const paths = known.paths(path)
    for (const [index, each] of paths.entries()) {
      const { status, headers } = await judge.call(method, path, each)
      // An operation that the service does not have is answered before anybody asks who calls it.
      const isMissing = status === 404 && !headers.has('x-ratelimit-limit')
      // The variants once with what there is, and once with what there is not.
      if (isMissing || (index > 0 && index < paths.length - 1)) continue
      await judge.call(method, path, each, { headers: { authorization: 'Bearer acceptance' }, wanted: [401] })
      if (!isList(operation)) continue
      for (const query of rightQueries) await judge.call(method, path, each + query)
      // A path that names what there is not may be answered for that.
      for (const [query, wanted] of wrongQueries) {
        await judge.call(method, path, each + query, {
          wanted: [...wanted, ...(each.includes('nothing') ? [404] : [])],
        })
      }
    }
  }
}

const id = (name: string) => `acceptance-${name}`
const reference = (sourcedId: string) => ({ sourcedId })
const day = '2026-09-08'
const moment = `${day}T08:00:00.000Z`

/** The collections of a gradebook that are written, in the order in which their objects can be deleted. */
const written = [
  'assessmentResults',
  'assessmentLineItems',
  'results',
  'lineItems',
  'scoreScales',
  'categories',
] as const

/** Puts one object of each collection of a gradebook, posts others, and changes and reads what was put. */
async function writeObjects(judge: Judge, known: KnownObjects): Promise<void> {
  const active = (collection: string) => known.of(collection).find(({ status }) => status === 'active')
  const enrollment = known.of('enrollments').find(({ status, role }) => status === 'active' && role === 'student')
  const group = known.of('classes').find(({ sourcedId }) => sourcedId === enrollment?.class.sourcedId)
  if (enrollment === undefined || group === undefined) throw new Error('The institution has no class with a student.')
  const [classId, student, school] = [group.sourcedId, enrollment.user.sourcedId, group.school.sourcedId]
  const period = active('gradingPeriods')?.sourcedId as string
  const lineItem = {
    ...{ title: 'Essay', description: 'One page', assignDate: moment, dueDate: moment, resultValueMin: 0 },
    ...{
      resultValueMax: 100,
      class: reference(classId),
      school: reference(school),
      category: reference(id('categories')),
    },
    gradingPeriod: reference(period),
  }
  const score = { score: 80, scoreStatus: 'fully graded', scoreDate: day, comment: 'Good', student: reference(student) }
  const bodies: Readonly<Record<string, Item>> = {
    category: { title: 'Homework', weight: 0.5 },
    scoreScale: {
      ...{ title: 'Letters', type: 'letter', class: reference(classId) },
      scoreScaleValue: [{ itemValueLHS: 'A', itemValueRHS: '90-100' }],
    },
    lineItem: { ...lineItem, scoreScale: reference(id('scoreScales')) },
    result: { ...score, lineItem: reference(id('lineItems')), textScore: 'A', late: 'true', class: reference(classId) },
    assessmentLineItem: { title: 'Placement', resultValueMin: 0, resultValueMax: 10 },
    assessmentResult: { ...score, assessmentLineItem: reference(id('assessmentLineItems')) },
  }
  const singles = { categories: 'category' } as Record<string, string>
  for (const collection of [...written].reverse()) {
    const single = singles[collection] ?? collection.slice(0, -1)
    const [template, path] = [`/${collection}/{sourcedId}`, `/${collection}/${id(collection)}`]
    if (!judge.has('put', template)) continue
    const object = { sourcedId: id(collection), status: 'active', dateLastModified: moment, ...bodies[single] }
    const body = { [single]: object }
    for (const wanted of [[201], [201]]) await judge.call('put', template, path, { body, wanted })
    const other = { [single]: { ...object, sourcedId: 'other' } }
    await judge.call('put', template, path, { body: other, wanted: [422] })
    await judge.call('put', template, path, {
      body: '{',
      headers: { 'content-type': 'application/json' },
      wanted: [422],
    })
    await judge.call('put', template, path, { body, headers: { authorization: 'Bearer acceptance' }, wanted: [401] })
    known.add(collection, [object])
  }
  const post = async (template: string, path: string, key: string, object: Item, wanted: readonly number[]) =>
    judge.call('post', template, path, { body: { [key]: [object] }, wanted })
  const identified = (object: Item) => ({
    sourcedId: randomUUID(),
    status: 'active',
    dateLastModified: moment,
    ...object,
  })
  for (const [parent, wanted] of [
    [classId, [201]],
    ['acceptance-nothing', [404, 422]],
  ] as const) {
    const at = encodeURIComponent(parent)
    const item = identified(bodies.lineItem as Item)
    const result = identified(bodies.result as Item)
    await post('/classes/{classSourcedId}/lineItems', `/classes/${at}/lineItems`, 'lineItems', item, wanted)
    const schoolAt = encodeURIComponent(wanted[0] === 201 ? school : parent)
    await post(
      '/schools/{schoolSourcedId}/lineItems',
      `/schools/${schoolAt}/lineItems`,
      'lineItems',
      identified(bodies.lineItem as Item),
      wanted,
    )
    await post(
      '/classes/{classSourcedId}/academicSessions/{academicSessionSourcedId}/results',
      `/classes/${at}/academicSessions/${encodeURIComponent(period)}/results`,
      ...(['results', result, wanted] as const),
    )
    const itemAt = wanted[0] === 201 ? id('lineItems') : parent
    const own = identified(bodies.result as Item)
    await post('/lineItems/{lineItemSourcedId}/results', `/lineItems/${itemAt}/results`, 'results', own, wanted)
  }
  await readLists(judge, known)
}

/** Deletes what was written, each twice: the second time there is nothing. */
async function deleteObjects(judge: Judge): Promise<void> {
  for (const collection of written) {
    const [template, path] = [`/${collection}/{sourcedId}`, `/${collection}/${id(collection)}`]
    if (!judge.has('delete', template)) continue
    for (const wanted of [[204], [404]]) await judge.call('delete', template, path, { wanted })
  }
}
