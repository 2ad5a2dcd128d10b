import { type Html, html, joined, nothing } from '@matricula/pages'
import { headingsOf, inlineMarkdown, markdown } from './markdown.ts'
import {
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  referredName,
} from './openapi-parts.ts'
import { codeBlock, page } from './page.ts'
import { fieldList, parameterList, typeOf } from './schema-view.ts'

interface Call {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

/** The reference of the Client API as one HTML page without a script, from its OpenAPI document. */
export function referencePage(document: OpenApiDocument): string {
  const { info, tags, components } = document
  const calls = callsOf(document)
  const sections = tags.map(({ name, description }) => {
    const ofTag = calls.filter(({ operation }) => operation.tags.includes(name))
    return html`<section aria-labelledby="tag-${name}">
<h2 id="tag-${name}"><a href="#tag-${name}">${name}</a></h2>
<p>${description}</p>
${ofTag.map((call) => operationArticle(call, document))}
</section>
`
  })
  const main = html`<h1>${info.title} <span class="version">${info.version}</span></h1>
${markdown(info.description)}
${sections}
${sentSection(document)}
<section aria-labelledby="headers"><h2 id="headers"><a href="#headers">Headers of answers</a></h2>
<dl class="fields">${Object.entries(components.headers).map(
    ([
      name,
      header,
    ]) => html`<div><dt id="header-${name}"><code>${name}</code> <span class="type">${typeOf(header.schema)}</span></dt>
<dd>${inlineMarkdown(header.description)} <span class="bounds">Such as <code>${String(header.example)}</code>.</span></dd></div>
`,
  )}</dl></section>
<section aria-labelledby="schemas"><h2 id="schemas"><a href="#schemas">Records and bodies</a></h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article><h3 id="schema-${name}"><a href="#schema-${name}">${name}</a></h3>
<p>${inlineMarkdown(schema.description ?? '')}</p>
${fieldList(schema)}</article>
`,
)}</section>`
  return page({
    title: `${info.title} ${info.version}: reference`,
    description: info.summary,
    root: './',
    main,
    contents: contents(document, calls),
  })
}

/** What is sent to the endpoints of webhooks: its headers and body, and the types that there are. */
function sentSection({ webhooks, components }: OpenApiDocument): Html {
  const headers = Object.entries(components.parameters).filter(([name]) => name.startsWith('webhook-'))
  const types = Object.entries(webhooks).map(
    ([type, { post }]) => html`<div><dt id="webhook-${type}"><code>${type}</code></dt>
<dd>${inlineMarkdown(post.description)}</dd></div>
`,
  )
  return html`<section aria-labelledby="webhooks"><h2 id="webhooks"><a href="#webhooks">What webhooks send</a></h2>
<p>A POST to the address of the endpoint, with a <a href="#schema-WebhookBody">WebhookBody</a> as its body.</p>
<h3>Headers of a delivery</h3>${parameterList(headers.map(([, header]) => header))}
<h3>Types</h3><dl class="fields">${types}</dl></section>`
}

function callsOf(document: OpenApiDocument): Call[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function contents(document: OpenApiDocument, calls: readonly Call[]): Html {
  const group = (title: string, href: string, links: readonly Html[]) =>
    html`<p><a href="#${href}">${title}</a></p><ul>${links.map((link) => html`<li>${link}</li>`)}</ul>`
  const conventions = headingsOf(document.info.description).map(({ id, title }) => html`<a href="#${id}">${title}</a>`)
  const operations = document.tags.map(({ name }) => {
    const ofTag = calls.filter(({ operation }) => operation.tags.includes(name))
    const links = ofTag.map(
      ({ method, operation }) =>
        html`<a href="#${operation.operationId}"><span class="method">${method}</span> ${operation.summary}</a>`,
    )
    return group(name, `tag-${name}`, links)
  })
  const schemas = Object.keys(document.components.schemas).map((name) => html`<a href="#schema-${name}">${name}</a>`)
  return html`${group('Conventions', 'content', conventions)}${operations}<p><a href="#webhooks">What webhooks send</a></p>${group('Records and bodies', 'schemas', schemas)}`
}

function operationArticle({ method, path, operation }: Call, document: OpenApiDocument): Html {
  const { operationId, summary, description, requestBody, responses } = operation
  const parameters = operation.parameters.map((parameter) =>
    '$ref' in parameter ? (document.components.parameters[referredName(parameter)] as ParameterObject) : parameter,
  )
  const [mediaType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const bodyName = body?.schema.$ref === undefined ? '' : referredName({ $ref: body.schema.$ref })
  const successes = Object.entries(responses).filter(([status]) => status < '400')
  const refusals = Object.entries(responses).filter(([status]) => status >= '400')
  return html`<article aria-labelledby="${operationId}">
<h3 id="${operationId}"><a href="#${operationId}">${summary}</a></h3>
<p class="call"><span class="method">${method}</span> <code>/v1${path}</code></p>
${markdown(description)}
${parameters.length === 0 ? nothing : html`<h4>Parameters</h4>${parameterList(parameters)}`}
${
  body === undefined
    ? nothing
    : html`<h4>Body: <a href="#schema-${bodyName}">${bodyName}</a></h4>
<p>${inlineMarkdown(requestBody?.description ?? '')} Sent as ${joined(
        Object.keys(requestBody?.content ?? {}).map((type) => html`<code>${type}</code>`),
        ' or ',
      )}.</p>
<details><summary>Fields of the body</summary>${fieldList(document.components.schemas[bodyName] ?? {})}</details>`
}
<details><summary>Example request</summary>
${codeBlock('Example request', curl(method, path, parameters, mediaType, body?.example, document))}</details>
<h4>Answers</h4>
${successes.map(([status, response]) => success(status, response))}
<h4>Refusals</h4>
<dl class="refusals">${refusals.map(([status, response]) => refusal(status, response))}</dl>
</article>
`
}

function success(status: string, { description, headers, content }: ResponseObject): Html {
  const { schema, example } = content?.['application/json'] ?? {}
  const data = schema?.properties?.data
  const names = Object.keys(headers).map((name) => html`<a href="#header-${name}"><code>${name}</code></a>`)
  return html`<p><strong>${status}</strong> ${inlineMarkdown(description)} ${
    data === undefined ? nothing : html`<code>data</code>: ${typeOf(data)}.`
  } <span class="bounds">Headers: ${joined(names, ', ')}.</span></p>
${
  example === undefined
    ? nothing
    : html`<details><summary>Example answer</summary>${codeBlock('Example answer', JSON.stringify(example, null, 2))}</details>`
}`
}

function refusal(status: string, { content }: ResponseObject): Html {
  const codes = Object.keys(content?.['application/problem+json']?.examples ?? {})
  const links = codes.map((code) => html`<a href="./problems/${code}"><code>${code}</code></a>`)
  return html`<div><dt>${status}</dt><dd>${joined(links, ', ')}</dd></div>
`
}

/** The call as a curl command for a POSIX shell, with the examples of the document. */
function curl(
  method: string,
  path: string,
  parameters: readonly ParameterObject[],
  mediaType: string | undefined,
  body: object | undefined,
  document: OpenApiDocument,
): string {
  const exampleOf = (name: string) => String(parameters.find((parameter) => parameter.name === name)?.example ?? '')
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(name)))
  const required = parameters.filter((parameter) => parameter.in === 'header' && parameter.required)
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${document.servers[0]?.url ?? ''}${filled}'`,
    `-H "Authorization: Bearer $MATRICULA_TOKEN"`,
    ...required.map((parameter) => `-H '${parameter.name}: ${String(parameter.example)}'`),
  ]
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: ${mediaType}'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`)
  }
  return lines.join(' \\\n  ')
}
