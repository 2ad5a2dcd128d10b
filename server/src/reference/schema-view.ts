import { type Html, html, joined, nothing } from '@matricula/pages'
import { inlineMarkdown } from './markdown.ts'
import { type ParameterObject, referredName, type SchemaObject } from './openapi-parts.ts'

/** The URL of the description of a record by name. */
export type SchemaAddress = (name: string) => string

const onThisPage: SchemaAddress = (name) => `#schema-${name}`

/** The fields of an object, each with its type, its meaning and its bounds; objects inside it in place. */
export function fieldList(schema: SchemaObject, addressOf = onThisPage): Html {
  const all = Object.entries(schema.properties ?? {})
  const writable = all.filter(([, field]) => field.readOnly !== true)
  const fixed = all.filter(([, field]) => field.readOnly === true).map(([name]) => html`<code>${name}</code>`)
  const items = writable.map(([name, field]) =>
    item(name, field, schema.required?.includes(name) ?? false, nothing, addressOf),
  )
  return html`<dl class="fields">${items}</dl>${
    fixed.length === 0
      ? nothing
      : html`<p>Not writable, and taken when equal to the stored values, so that a record that was read can be sent back: ${joined(fixed, ', ')}.</p>`
  }`
}

/** The parameters of an operation. */
export function parameterList(parameters: readonly ParameterObject[], addressOf = onThisPage): Html {
  const items = parameters.map((parameter) => {
    const field = { ...parameter.schema, description: parameter.description }
    return item(parameter.name, field, parameter.required, html` <span class="in">in ${parameter.in}</span>`, addressOf)
  })
  return html`<dl class="fields">${items}</dl>`
}

function item(name: string, field: SchemaObject, isRequired: boolean, location: Html, addressOf: SchemaAddress): Html {
  const required = isRequired ? html` <span class="required">required</span>` : nothing
  const inside = [field, field.items ?? {}].find((part) => part.properties !== undefined)
  return html`<div><dt><code>${name}</code> <span class="type">${getType(field, addressOf)}</span>${location}${required}</dt>
<dd>${inlineMarkdown(field.description ?? '')}${bounds(field)}${inside === undefined ? nothing : fieldList(inside, addressOf)}</dd></div>
`
}

/** The type of a schema in words, with links to the records that it names. */
export function getType(schema: SchemaObject, addressOf = onThisPage): Html {
  if (schema.$ref !== undefined) {
    const name = referredName({ $ref: schema.$ref })
    return html`<a href="${addressOf(name)}">${name}</a>`
  }
  if (schema.anyOf !== undefined)
    return joined(
      schema.anyOf.map((branch) => getType(branch, addressOf)),
      ' or ',
    )
  if (schema.const !== undefined) return schema.const === '' ? html`empty string` : html`<code>${schema.const}</code>`
  const types = schema.type === undefined ? ['any'] : [schema.type].flat()
  return joined(
    types.map((type) => oneType(type, schema, addressOf)),
    ' or ',
  )
}

function oneType(type: string, schema: SchemaObject, addressOf: SchemaAddress): Html {
  if (type === 'array' && schema.items !== undefined) return html`array of ${getType(schema.items, addressOf)}`
  return type === 'string' && schema.format !== undefined ? html`string (${schema.format})` : html`${type}`
}

/** The constraints of a value beyond its type, as text. */
function bounds(schema: SchemaObject): Html {
  const { minLength, maxLength, maxItems, minimum, exclusiveMinimum, maximum, pattern } = schema
  const sentences: Html[] = []
  if (schema.enum !== undefined) {
    const values = schema.enum.filter((value) => value !== null).map((value) => html`<code>${value}</code>`)
    sentences.push(html`One of ${joined(values, ', ')}.`)
  }
  if (minLength !== undefined && maxLength !== undefined) sentences.push(html`${minLength} to ${maxLength} characters.`)
  else if (maxLength !== undefined) sentences.push(html`At most ${maxLength} characters.`)
  else if (minLength !== undefined) sentences.push(html`At least ${minLength} character${minLength === 1 ? '' : 's'}.`)
  if (maxItems !== undefined) sentences.push(html`At most ${maxItems} items.`)
  if (exclusiveMinimum !== undefined) sentences.push(html`Greater than ${exclusiveMinimum}.`)
  if (minimum !== undefined) sentences.push(html`At least ${minimum}.`)
  if (maximum !== undefined) sentences.push(html`At most ${maximum}.`)
  if (pattern !== undefined) sentences.push(html`Pattern <code>${pattern}</code>.`)
  if (schema.default !== undefined) sentences.push(html`Default <code>${String(schema.default)}</code>.`)
  return sentences.length === 0 ? nothing : html` <span class="bounds">${joined(sentences, ' ')}</span>`
}
