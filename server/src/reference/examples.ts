import { type Html, html } from '@matricula/pages'
import { codeFigure } from './markdown.ts'
import type { OpenApiDocument, OperationObject, ParameterObject } from './openapi-parts.ts'
import { referredName } from './openapi-parts.ts'

/** An operation with the example arguments of its declaration. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
  readonly parameters: readonly ParameterObject[]
}

/** All operations of a document, in its order. */
export function getCalls(document: OpenApiDocument): Call[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const parameters = operation.parameters.map((parameter) =>
        '$ref' in parameter ? (document.components.parameters[referredName(parameter)] as ParameterObject) : parameter,
      )
      return { method: method.toUpperCase(), path, operation, parameters }
    }),
  )
}

/** Example programs that call an operation, one per language; `base` is the URL of the Client API. */
export function examples(call: Call, base: string): Html {
  return html`<div class="examples">${[
    codeFigure('sh', curl(call, base), 'curl'),
    codeFigure('ts', typescript(call, base), 'TypeScript'),
    codeFigure('python', python(call, base), 'Python'),
  ]}</div>`
}

/** The example call of an operation from a page of the console. */
export function pageExample(call: Call): Html {
  const body = findBody(call)
  const headers = [
    ...requiredHeaders(call).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
    ...(body === null ? [] : [`'Content-Type': ${quoted(body.mediaType)}`]),
  ]
  const options = [
    ...(call.method === 'GET' ? [] : [`method: ${quoted(call.method)}`]),
    ...(headers.length === 0 ? [] : [`headers: ${nested('{', headers, '}', 1, 2)}`]),
    ...(body === null ? [] : [`body: JSON.stringify(${literal(body.example, 1)})`]),
  ]
  const address = quoted(getAddress(call, '/t/grand-bend/console/v1'))
  const sent = options.length === 0 ? '' : `, ${nested('{', options, '}', 0, 2)}`
  const text = `const answer = await fetch(${address}${sent})`
  return html`<div class="examples">${codeFigure('ts', text, 'TypeScript')}</div>`
}

/** The path of a call with its example parameters. */
function pathValues({ path, parameters }: Call): [name: string, value: string][] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    return [name, String(parameters.find((parameter) => parameter.name === name)?.example ?? '')]
  })
}

function getAddress(call: Call, base: string): string {
  const filled = pathValues(call).reduce(
    (path, [name, value]) => path.replace(`{${name}}`, encodeURIComponent(value)),
    call.path,
  )
  const query = new URLSearchParams(getQuery(call)).toString()
  return `${base}${filled}${query === '' ? '' : `?${query}`}`
}

/** The query parameters with an example value. */
function getQuery({ parameters }: Call): Record<string, string> {
  const shown = parameters.filter(({ in: location, example }) => location === 'query' && example !== undefined)
  return Object.fromEntries(shown.map(({ name, example }) => [name, String(example)]))
}

function requiredHeaders({ parameters }: Call): [name: string, value: string][] {
  return parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required)
    .map(({ name, example }) => [name, String(example)])
}

/** What a call sends: an example of its JSON, or a file. */
interface Body {
  readonly mediaType: string
  readonly example: object
  readonly isFile: boolean
}

function findBody({ operation }: Call): Body | null {
  const [first] = Object.entries(operation.requestBody?.content ?? {})
  if (first === undefined) return null
  const [mediaType, { schema, example }] = first
  return { mediaType, example, isFile: schema.format === 'binary' }
}

/** The file that the examples send. */
const fileName = 'statement.xml'

/** The call as a command for a POSIX shell. */
function curl(call: Call, base: string): string {
  const body = findBody(call)
  const lines = [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}'${getAddress(call, base)}'`,
    `-H "Authorization: Bearer $MATRICULA_TOKEN"`,
    ...requiredHeaders(call).map(([name, value]) => `-H '${name}: ${value}'`),
  ]
  if (body !== null) {
    const text = JSON.stringify(body.example, null, 2).replaceAll("'", `'\\''`)
    lines.push(`-H 'Content-Type: ${body.mediaType}'`, body.isFile ? `--data-binary @${fileName}` : `-d '${text}'`)
  }
  return lines.join(' \\\n  ')
}

/** The call as a program that uses the client. */
function typescript(call: Call, base: string): string {
  const readsFile = findBody(call)?.isFile ? `import { readFile } from 'node:fs/promises'\n` : ''
  return `${readsFile}import { createClient } from '@matricula/client'

const client = createClient({ url: '${new URL(base).origin}', token: process.env.MATRICULA_TOKEN ?? '' })

${statement(call)}`
}

/** Client methods with a name of their own; all others are named after the operation's id. */
const verbs = /^(listDeleted|list|get|create|update|upsert|batch|delete)([A-Z]\w*?)(ByExternalId)?$/
const partsOfClient = new Set(
  `students applications payments programs courses documents documentRequests formTemplates formSubmissions pipelineStatuses
  documentTypes requirementProfiles webhooks events`.split(/\s+/),
)

function statement(call: Call): string {
  const { operationId } = call.operation
  const [, verb = '', noun = ''] = verbs.exec(operationId) ?? []
  const name = `${noun.charAt(0).toLowerCase()}${noun.slice(1)}`
  const part = [name, `${name}s`].find((candidate) => partsOfClient.has(candidate))
  const lists = ['list', 'listDeleted', 'batch'].includes(verb)
  if (part === undefined || (lists && part !== name) || operationId === 'createDocument') return byId(call)
  const shown = findBody(call)
  const body =
    shown === null ? [] : [literal(verb === 'batch' ? (shown.example as { items: object }).items : shown.example)]
  const inPath = pathValues(call).map(([, value]) => quoted(value))
  const method = { listDeleted: 'deleted' }[verb] ?? verb
  const expression = `client.${part}.${method}(${[...inPath, ...body].join(', ')})`
  if (!['list', 'listDeleted'].includes(verb)) {
    return verb === 'delete' ? `await ${expression}` : `const answer = await ${expression}\nconsole.log(answer)`
  }
  const isWhole = !call.parameters.some(({ name }) => ['page', 'cursor', 'after'].includes(name))
  return isWhole
    ? `for (const record of await ${expression}) console.log(record)`
    : `for await (const record of ${expression}) console.log(record)`
}

/** A part of a literal that is code. */
class Code {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const fileInput = ({ mediaType }: Body) =>
  `{ mediaType: ${quoted(mediaType)}, bytes: await readFile(${quoted(fileName)}) }`

function byId(call: Call): string {
  const { operation } = call
  const [path, query, body] = [Object.fromEntries(pathValues(call)), getQuery(call), findBody(call)]
  const input = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== null && { body: body.isFile ? new Code(fileInput(body)) : body.example }),
  }
  const isEmpty = operation.responses[204] !== undefined
  const called = `await client.call('${operation.operationId}', ${literal(input)})`
  return isEmpty ? called : `const { body } = ${called}\nconsole.log(body.data)`
}

/** The call as a Python program that uses `requests`. */
function python(call: Call, base: string): string {
  const body = findBody(call)
  const headers = [
    `"Authorization": f"Bearer {os.environ['MATRICULA_TOKEN']}"`,
    ...requiredHeaders(call).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...(body?.isFile ? [`"Content-Type": ${JSON.stringify(body.mediaType)}`] : []),
  ]
  const isEmpty = call.operation.responses[204] !== undefined
  const lines = [
    `    ${JSON.stringify(getAddress(call, base))},`,
    `    headers=${nested('{', headers, '}', 1, 4)},`,
    ...(body === null
      ? []
      : [body.isFile ? `    data=open("${fileName}", "rb"),` : `    json=${pythonLiteral(body.example, 1)},`]),
    '    timeout=60,',
  ]
  return `import os

import requests

response = requests.${call.method.toLowerCase()}(
${lines.join('\n')}
)
if not response.ok:
    raise SystemExit(response.text)
${isEmpty ? 'print(answer.status_code)' : 'print(answer.json()["data"])'}`
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

/** Formats a JSON value as a TypeScript literal. */
function literal(value: unknown, depth = 0): string {
  if (value instanceof Code) return value.text
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value !== 'object') return String(value)
  const name = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key))
  return Array.isArray(value)
    ? nested(
        '[',
        value.map((item) => literal(item, depth + 1)),
        ']',
        depth,
        2,
      )
    : nested(
        '{',
        Object.entries(value).map(([key, inside]) => `${name(key)}: ${literal(inside, depth + 1)}`),
        '}',
        depth,
        2,
      )
}

/** Formats a JSON value as a Python literal. */
function pythonLiteral(value: unknown, depth: number): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  return Array.isArray(value)
    ? nested(
        '[',
        value.map((item) => pythonLiteral(item, depth + 1)),
        ']',
        depth,
        4,
      )
    : nested(
        '{',
        Object.entries(value).map(([key, inside]) => `${JSON.stringify(key)}: ${pythonLiteral(inside, depth + 1)}`),
        '}',
        depth,
        4,
      )
}

/** Puts each part on a line of its own, except for a single short one. */
function nested(open: string, parts: readonly string[], close: string, depth: number, width: number): string {
  if (parts.length === 0) return open + close
  const short = parts.join(', ')
  const room = open === '{' && width === 2 ? ' ' : ''
  if (short.length <= 60 && !short.includes('\n')) return `${open}${room}${short}${room}${close}`
  const indent = ' '.repeat(width * (depth + 1))
  return `${open}\n${parts.map((part) => `${indent}${part},\n`).join('')}${' '.repeat(width * depth)}${close}`
}
