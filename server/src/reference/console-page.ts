import { roleScopes, sharedOperations } from '@matricula/contract'
import { type Html, html, joined } from '@matricula/pages'
import { getCalls, pageExample } from './examples.ts'
import { inlineMarkdown } from './markdown.ts'
import { addressOfTag } from './navigation.ts'
import type { OpenApiDocument } from './openapi-parts.ts'
import { operationArticle } from './operation-view.ts'
import { page } from './page.ts'
import { fieldList } from './schema-view.ts'
import type { SearchEntry } from './served-documents.ts'

const address = '/docs/console'
const prefix = '{tenant}/console/v1'

/** The page of the console's operations, from their OpenAPI document and the table of roles. */
export function consolePage(document: OpenApiDocument): string {
  const { info, tags, components } = document
  const calls = getCalls(document)
  // Operations of the Client API are described on its pages.
  const schemas = Object.keys(components.schemas).filter((name) => name !== 'Problem')
  const getAddress = (name: string) => (name === 'Problem' ? '/docs/conventions#schema-Problem' : `#schema-${name}`)
  const main = html`<h1>${info.title}</h1>
<p>${info.summary} ${info.description}</p>
<p>The address is <code>/t/{slug}/console/v1</code>, or <code>/console/v1</code> on the host name of an institution. People call it with the
session that <code>POST /api/method/login</code> begins, and send its token in <code>X-Frappe-CSRF-Token</code> with every write.
Tokens are not taken here, and no cookie is taken at <code>/v1</code>. For machines: <a href="/docs/console/openapi.json">OpenAPI 3.1 document</a>.</p>
<h2 id="shared"><a href="#shared">Operations of the Client API</a></h2>
<p>Every operation of ${joined(sharedTags(), ', ')} is mounted here too, with the same bodies, answers, versions, keys and refusals. What a
person writes bears that person’s name. In a domain that another system owns, people only read.</p>
<h2 id="roles"><a href="#roles">What roles open</a></h2>
<dl class="fields">${Object.entries(roleScopes).map(
    ([role, scopes]) => html`<div><dt>${role}</dt><dd>${
      scopes.length === 0
        ? 'None of these operations.'
        : joined(
            scopes.map((scope) => html`<code>${scope}</code>`),
            ', ',
          )
    }</dd></div>
`,
  )}</dl>
${tags.map(
  ({ name, description }) => html`<h2 id="tag-${name}"><a href="#tag-${name}">${name}</a></h2>
<p>${description}</p>
`,
)}
${calls.map((call) => operationArticle(call, document, getAddress, { prefix, examples: pageExample }))}
${schemas.map(
  (
    name,
  ) => html`<article aria-labelledby="schema-${name}"><h2 id="schema-${name}"><a href="#schema-${name}">${name}</a></h2>
<p>${inlineMarkdown(components.schemas[name]?.description ?? '')}</p>
${fieldList(components.schemas[name] ?? {}, getAddress)}</article>
`,
)}`
  const outline = [
    ...calls.map(({ operation: { operationId, summary } }) => ({ id: operationId, title: summary })),
    ...schemas.map((name) => ({ id: `schema-${name}`, title: name })),
  ]
  return page({ title: `${info.title}: reference`, description: info.summary, address, main, outline })
}

function sharedTags(): Html[] {
  const tags = [...new Set(Object.values(sharedOperations).map(({ tag }) => tag))]
  return tags.map((tag) => html`<a href="${addressOfTag(tag)}">${tag}</a>`)
}

/** The search entries of the console's operations. */
export function consoleEntries(document: OpenApiDocument): SearchEntry[] {
  return getCalls(document).map(({ method, path, operation: { operationId, summary } }) => ({
    title: summary,
    kind: `Console ${method} ${path} ${operationId}`,
    address: `${address}#${operationId}`,
  }))
}
