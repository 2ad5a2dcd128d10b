import type { Field, RecordType } from '@matricula/contract/record-types'
import { type Html, html, nothing } from '@matricula/pages'
import { codeFigure } from '../../reference/index.ts'
import type { MethodDeclaration, Parameter } from '../protocol/record-method.ts'

/** Example calls that list records and, where clients may, create one. */
export function recordExamples(type: RecordType, publicUrl: string): Html {
  const url = `${publicUrl}/api/resource/${encodeURIComponent(type.name)}`
  const authorization = `-H "Authorization: $KEY"`
  if (type.kind === 'single') {
    return codeFigure('sh', `curl ${authorization} '${url}/${encodeURIComponent(type.name)}'`, 'Read it')
  }
  const fields = ['name', ...shownFields(type)]
  const list = `curl -g ${authorization} \\\n  '${url}?fields=${JSON.stringify(fields)}&limit_page_length=20'`
  const body = neededFields(type)
  const isMade = type.isComputed !== true && Object.values(type.permissions).some((rights) => rights.includes('create'))
  return html`${codeFigure('sh', list, 'List')}${
    isMade && Object.keys(body).length > 0
      ? codeFigure('sh', `curl ${authorization} ${getJson(body)} \\\n  '${url}'`, 'Make one')
      : nothing
  }`
}

/** The example call of a method with its required arguments. */
export function methodExample(
  { path, parameters, verbs = ['GET', 'POST'], allowGuest }: MethodDeclaration,
  publicUrl: string,
): Html {
  const needed = Object.entries(parameters).filter(([, { required }]) => required === true)
  const values = Object.fromEntries(needed.map(([name, parameter]) => [name, parameterValues[parameter.type]]))
  const authorization = allowGuest === true ? '' : ` -H "Authorization: $KEY"`
  const url = `'${publicUrl}/api/method/${path}'`
  if (verbs.includes('POST')) {
    const body = needed.length === 0 ? ' -X POST' : ` ${getJson(values)}`
    return codeFigure('sh', `curl${authorization}${body} ${needed.length === 0 ? '' : '\\\n  '}${url}`, 'Call')
  }
  const query = Object.entries(values).map(([name, value]) => ` \\\n  --data-urlencode '${name}=${text(value)}'`)
  return codeFigure('sh', `curl -G${authorization} ${url}${query.join('')}`, 'Call')
}

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function getJson(value: object): string {
  return `-H "Content-Type: application/json" \\\n  -d '${JSON.stringify(value).replaceAll("'", `'\\''`)}'`
}

const parameterValues: Readonly<Record<Parameter['type'], unknown>> = {
  string: '…',
  integer: 1,
  number: 1,
  boolean: true,
  json: {},
  date: '2026-09-01',
  any: '…',
}

/** The first fields of the list view. */
function shownFields(type: RecordType): string[] {
  const listed = Object.entries(type.fields).filter(([, field]) => field.inListView === true && field.type !== 'Table')
  const shown = [...(type.titleField === undefined ? [] : [type.titleField]), ...listed.map(([name]) => name)]
  return [...new Set(shown)].filter((name) => name !== 'name').slice(0, 3)
}

/** The required fields of a new record, with example values. */
function neededFields(type: RecordType): Record<string, unknown> {
  const needed = Object.entries(type.fields).filter(
    ([, field]) => field.required === true && field.default === undefined && field.fetchFrom === undefined,
  )
  return Object.fromEntries(needed.map(([name, field]) => [name, getExample(field)]))
}

function getExample(field: Field): unknown {
  switch (field.type) {
    case 'Table':
      return [neededFields(field.rows)]
    case 'Select':
      return field.options.find((option) => option !== '') ?? ''
    case 'Check':
    case 'Int':
      return 1
    case 'Float':
    case 'Currency':
    case 'Percent':
      return 100
    case 'Date':
      return '2026-09-01'
    case 'Datetime':
      return '2026-09-01 08:00:00'
    case 'Time':
      return '08:00:00'
    case 'Link':
      return `<${field.target}>`
    default:
      return field.type === 'Data' && field.format === 'Email' ? 'ada@example.org' : `<${field.label}>`
  }
}
