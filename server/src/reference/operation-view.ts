import { type Html, html, joined, nothing } from '@matricula/pages'
import { type Call, examples } from './examples.ts'
import { codeFigure, inlineMarkdown, markdown } from './markdown.ts'
import { type OpenApiDocument, type ResponseObject, referredName } from './openapi-parts.ts'
import { fieldList, getType, parameterList, type SchemaAddress } from './schema-view.ts'

/** How a page shows the calls of one surface. */
export interface ArticleAuthenticator {
  /** The prefix of the path of each operation. */
  readonly prefix: string
  readonly examples: (call: Call, base: string) => Html
}

/** The description of one operation on a page. */
export function operationArticle(
  call: Call,
  document: OpenApiDocument,
  addressOf: SchemaAddress,
  authenticator: ArticleAuthenticator = { prefix: '/v1', examples },
): Html {
  const { method, path, operation, parameters } = call
  const { operationId, summary, description, requestBody, responses } = operation
  const [, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const bodyName = body?.schema.$ref === undefined ? '' : referredName({ $ref: body.schema.$ref })
  const successes = Object.entries(responses).filter(([status]) => status < '400')
  const rejections = Object.entries(responses).filter(([status]) => status >= '400')
  return html`<article aria-labelledby="${operationId}">
<h2 id="${operationId}"><a href="#${operationId}">${summary}</a></h2>
<p class="call"><span class="method">${method}</span> <code>${authenticator.prefix}${path}</code></p>
${markdown(description)}
<h3>Example</h3>
${authenticator.examples(call, document.servers[0]?.url ?? '')}
${parameters.length === 0 ? nothing : html`<h3>Parameters</h3>${parameterList(parameters, addressOf)}`}
${
  body === undefined
    ? nothing
    : html`<h3>Body: ${bodyName === '' ? 'a file' : html`<a href="${addressOf(bodyName)}">${bodyName}</a>`}</h3>
<p>${inlineMarkdown(requestBody?.description ?? '')} Sent as ${joined(
        Object.keys(requestBody?.content ?? {}).map((type) => html`<code>${type}</code>`),
        ' or ',
      )}.</p>
${bodyName === '' ? nothing : html`<details><summary>Fields of the body</summary>${fieldList(document.components.schemas[bodyName] ?? {}, addressOf)}</details>`}`
}
<h3>Answers</h3>
${successes.map(([status, response]) => success(status, response, addressOf))}
<h3>Refusals</h3>
<dl class="refusals">${rejections.map(([status, response]) => refusal(status, response))}</dl>
</article>
`
}

function success(status: string, { description, headers, content }: ResponseObject, addressOf: SchemaAddress): Html {
  const { schema, example } = content?.['application/json'] ?? {}
  const data = schema?.properties?.data
  const names = Object.keys(headers).map(
    (name) => html`<a href="/docs/conventions#header-${name}"><code>${name}</code></a>`,
  )
  return html`<p><strong>${status}</strong> ${inlineMarkdown(description)} ${
    data === undefined ? nothing : html`<code>data</code>: ${getType(data, addressOf)}.`
  } <span class="bounds">Headers: ${joined(names, ', ')}.</span></p>
${example === undefined ? nothing : codeFigure('json', JSON.stringify(example, null, 2), 'Answer')}`
}

function refusal(status: string, { content }: ResponseObject): Html {
  const codes = Object.keys(content?.['application/problem+json']?.examples ?? {})
  const links = codes.map((code) => html`<a href="/problems/${code}"><code>${code}</code></a>`)
  return html`<div><dt>${status}</dt><dd>${joined(links, ', ')}</dd></div>
`
}
