import { type Field, type RecordType, standardFields } from '@matricula/contract/record-types'
import { type Html, html, nothing } from '@matricula/pages'
import type { RecordDefinition, Rules } from '../../record-engine/index.ts'
import { getNoun } from '../../record-engine/index.ts'
import { fieldList, getType, inlineMarkdown, page, trail } from '../../reference/index.ts'
import type { MethodDeclaration, Parameter } from '../protocol/record-method.ts'
import { methodExample, recordExamples } from './record-examples.ts'
import { getRuleText, withArticle } from './rule-words.ts'

/** The slug of a type's page. */
export function pageName(type: Pick<RecordType, 'name'>): string {
  return getNoun(type).replaceAll('_', '-')
}

/** All record types of the Resource and Method API. */
export function recordIndexPage(definitions: readonly RecordDefinition[]): string {
  const byName = definitions.toSorted((one, other) => (one.type.name < other.type.name ? -1 : 1))
  const main = html`${trail(['/docs', 'Matricula'])}
<h1>Resource and Method API</h1>
<p>Named records and methods, as clients written for Frappe Education use them: begin with the <a href="/docs/guides/frappe-clients">guide</a>.
The <a href="/docs/records/openapi.json">OpenAPI document</a> has every address.</p>
<p>Here are ${definitions.length} types of records. What they do beyond reading and writing is below <a href="/docs/methods">methods</a>.</p>
<h2 id="records">Records</h2>
<dl class="fields">${byName.map(
    ({
      type,
    }) => html`<div><dt><a href="/docs/records/${pageName(type)}">${type.name}</a></dt><dd>${type.summary}</dd></div>
`,
  )}</dl>`
  const description = 'Every record type of the Resource and Method API.'
  return page({ title: 'Resource and Method API: records', description, address: '/docs/records', main })
}

/** All methods of the Resource and Method API. */
export function methodIndexPage(methods: readonly MethodDeclaration[]): string {
  const main = html`${trail(['/docs', 'Matricula'], ['/docs/records', 'Resource and Method API'])}
<h1>Methods</h1>
<p>What clients call at <code>/api/method/…</code>: ${methods.length} methods by their dotted paths. Arguments go as JSON, as a form, or in the query of a
GET; the answer is <code>message</code>.</p>
<dl class="fields">${methods.map(
    ({
      path,
      summary,
    }) => html`<div><dt><a href="/docs/methods/${path}"><code>${path}</code></a></dt><dd>${summary}</dd></div>
`,
  )}</dl>`
  const description = 'Every method of the Resource and Method API.'
  return page({ title: 'Resource and Method API: methods', description, address: '/docs/methods', main })
}

const kinds: Readonly<Record<RecordType['kind'], string>> = {
  plain: 'Saved at once; it has no states.',
  submittable:
    'A draft (docstatus 0) until it is submitted (1); final then, until it is cancelled (2). A cancelled record is followed by an amendment.',
  single: 'There is one of it, under the name of its type.',
  child: 'A row of another record.',
}

/** The page of a record type: fields, naming and rules. `known` types have a page to link to. */
export function recordPage(
  { type, rules, methods }: RecordDefinition,
  known: ReadonlySet<string>,
  publicUrl: string,
): string {
  const path = `/api/resource/${encodeURIComponent(type.name)}`
  const reported = ruleList(type.name, rules)
  const tables = Object.entries(type.fields).filter(([, field]) => field.type === 'Table')
  const hasMethods = Object.keys(methods).length > 0
  const outline = [
    ['examples', 'Examples'],
    ['states', 'States'],
    ['name', 'Name'],
    ['fields', 'Fields'],
    ...tables.map(([name]) => [`rows-${name}`, `Rows of ${name}`]),
    ...(reported === nothing ? [] : [['rules', 'What happens']]),
    ...(hasMethods ? [['methods', 'Methods of a record']] : []),
    ['roles', 'Roles'],
  ].map(([id = '', title = '']) => ({ id, title }))
  const main = html`${trail(['/docs/records', 'Records'])}
<h1>${type.name}</h1>
<p>${type.summary}</p>
<p class="call"><span class="method">GET POST</span> <code>${path}</code></p>
<p class="call"><span class="method">GET PUT DELETE</span> <code>${path}/{name}</code></p>
<h2 id="examples">Examples</h2>
${recordExamples(type, publicUrl)}
<h2 id="states">States</h2>
<p>${kinds[type.kind]}</p>
<h2 id="name">Name</h2>
<p>${nameText(type)}${type.renameAllowed === true ? ' It can be renamed; every record that names it follows.' : ''}</p>
<h2 id="fields">Fields</h2>
${fieldTable(type, known)}
${Object.entries(type.fields).map(([name, field]) =>
  field.type === 'Table'
    ? html`<h2 id="rows-${name}">Rows of <code>${name}</code>: ${field.rows.name}</h2>
<p>${field.rows.summary}</p>
${fieldTable(field.rows, known)}`
    : nothing,
)}
${reported}
${
  !hasMethods
    ? nothing
    : html`<h2 id="methods">Methods of a record</h2>
<p>Called by <a href="/docs/methods/run_doc_method"><code>run_doc_method</code></a>, with the record and the name of the method.</p>
<ul>${Object.keys(methods).map((name) => html`<li><code>${name}</code></li>`)}</ul>`
}
<h2 id="roles">Roles</h2>
<dl class="fields">${[['System Manager', ['everything']] as const, ...Object.entries(type.permissions)].map(
    ([role, rights]) => html`<div><dt>${role}</dt><dd>${rights.join(', ')}</dd></div>
`,
  )}</dl>`
  return page({
    title: `${type.name}: record type`,
    description: type.summary,
    address: `/docs/records/${pageName(type)}`,
    main,
    outline,
  })
}

function nameText({ naming }: RecordType): Html {
  switch (naming.by) {
    case 'series':
      return html`A number of the series <code>${naming.series}</code>.`
    case 'format':
      return html`A number in the form <code>${naming.format}</code>.`
    case 'field':
      return html`The value of <code>${naming.field}</code>.`
    case 'hash':
      return html`Ten random characters.`
    case 'type':
      return html`The name of the type.`
    case 'rule':
      return html`It follows from other fields.`
  }
}

function fieldTable(type: RecordType, known: ReadonlySet<string>): Html {
  const all = [...Object.entries(type.fields), ...Object.entries(standardFields as Record<string, Field>)]
  return html`<dl class="fields">${all.map(
    ([name, field]) => html`<div><dt><code>${name}</code> <span class="type">${field.type}</span></dt>
<dd>${field.label}. ${facts(field, known)}</dd></div>
`,
  )}</dl>`
}

function facts(field: Field, known: ReadonlySet<string>): readonly Html[] {
  const reported: Html[] = []
  if (field.type === 'Link') {
    const { target } = field
    reported.push(
      known.has(target)
        ? html`Names ${withArticle(target).split(' ')[0] as string} <a href="/docs/records/${pageName({ name: target })}">${target}</a>. `
        : html`Names ${withArticle(target)}, unchecked. `,
    )
  }
  if (field.type === 'Select')
    reported.push(html`One of ${field.options.filter((option) => option !== '').join(', ')}. `)
  if (field.required === true) reported.push(html`<strong>Required.</strong> `)
  if (field.unique === true) reported.push(html`Unique. `)
  if (field.default !== undefined) reported.push(html`<code>${String(field.default)}</code> when absent. `)
  if (field.fetchFrom !== undefined) {
    reported.push(
      html`Taken from <code>${field.fetchFrom}</code>${field.fetchIfEmpty === true ? ' when absent' : ''}. `,
    )
  }
  if (field.allowOnSubmit === true) reported.push(html`May change after submission. `)
  if (field.setOnlyOnce === true) reported.push(html`Set once. `)
  return reported
}

const moments: Readonly<Record<Exclude<keyof Rules, 'name' | 'series' | 'received'>, string>> = {
  validate: 'On every save of a draft, and on submission',
  beforeSubmit: 'Before submission',
  afterInsert: 'After it was made',
  afterSave: 'After every save',
  afterSubmit: 'After submission',
  afterChange: 'After a change of a submitted record',
  beforeCancel: 'Before cancellation',
  afterCancel: 'After cancellation',
  beforeDelete: 'Before deletion',
  afterLoad: 'Whenever it is read',
}

/** The rules of a record type, by the event at which they run. */
function ruleList(type: string, rules: Rules): Html {
  const parts = Object.entries(moments).flatMap(([moment, heading]) => {
    const ofMoment = rules[moment as keyof typeof moments] ?? []
    const reported = [...new Set(ofMoment.map(({ name }) => getRuleText(type, name) ?? ''))].filter((one) => one !== '')
    return reported.length === 0
      ? []
      : [html`<div><dt>${heading}</dt>${reported.map((one) => html`<dd>${inlineMarkdown(one)}</dd>`)}</div>`]
  })
  return parts.length === 0 ? nothing : html`<h2 id="rules">What happens</h2><dl class="fields">${parts}</dl>`
}

/** The result of a method, where declared. */
function getResult({ result, fileType }: MethodDeclaration): Html {
  if (result === undefined) {
    return fileType === undefined ? nothing : html`<h2 id="result">Result</h2><p>A file, ${fileType}.</p>`
  }
  const inside = [result, result.items ?? {}].find((part) => part.properties !== undefined)
  return html`<h2 id="result">Result</h2>
<p><code>message</code> <span class="type">${getType(result)}</span> ${inlineMarkdown(result.description ?? '')}${fileType === undefined ? '' : ` Or a file, ${fileType}.`}</p>
${inside === undefined ? nothing : fieldList(inside)}`
}

const parameterTypes: Readonly<Record<Parameter['type'], string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean, or 0 or 1',
  json: 'object or array, or its JSON text',
  date: 'string (date)',
  any: 'any',
}

/** The parameters and result of a method. */
export function methodPage(method: MethodDeclaration, publicUrl: string): string {
  const { path, summary, parameters, verbs = ['GET', 'POST'], allowGuest, actsByGet } = method
  const access = allowGuest === true ? 'Everybody may call it.' : 'It needs a key, or somebody who is logged in.'
  const readsOnly = verbs.includes('GET') && actsByGet !== true
  const main = html`${trail(['/docs/methods', 'Methods'])}
<h1>${path.split('.').at(-1) ?? path}</h1>
<p>${summary}</p>
<p class="call"><span class="method">${verbs.join(' ')}</span> <code>/api/method/${path}</code></p>
<p>${access}${readsOnly ? ' A call with GET changes nothing.' : ''}</p>
<h2 id="example">Example</h2>
${methodExample(method, publicUrl)}
<h2 id="arguments">Arguments</h2>
${
  Object.keys(parameters).length === 0
    ? html`<p>None.</p>`
    : html`<dl class="fields">${Object.entries(parameters).map(
        ([name, { type, required, about }]) => html`<div><dt><code>${name}</code> <span class="type">${
          parameterTypes[type]
        }</span>${required === true ? html` <span class="required">required</span>` : nothing}</dt>
${about === undefined ? nothing : html`<dd>${about}</dd>`}</div>
`,
      )}</dl>`
}
${getResult(method)}`
  return page({ title: `${path}: method`, description: summary, address: `/docs/methods/${path}`, main })
}
