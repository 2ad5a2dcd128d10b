import { type Html, html, nothing } from '@matricula/pages'
import { type Call, getCalls } from './examples.ts'
import { getHeadings, inlineMarkdown, markdown } from './markdown.ts'
import { addressOfTag, type OutlineEntry } from './navigation.ts'
import type { OpenApiDocument } from './openapi-parts.ts'
import { operationArticle } from './operation-view.ts'
import { page, trail } from './page.ts'
import { SchemaHomes } from './schema-homes.ts'
import { fieldList, getType, parameterList } from './schema-view.ts'
import type { SearchEntry } from './served-documents.ts'

/** The pages of the Client API, generated from its OpenAPI document alone. */
export class ReferencePages {
  readonly #document: OpenApiDocument
  readonly #calls: readonly Call[]
  readonly #homes: SchemaHomes

  constructor(document: OpenApiDocument) {
    this.#document = document
    this.#calls = getCalls(document)
    this.#homes = new SchemaHomes(document)
  }

  /** The index page: every operation and record with a link, under stable anchors that old links to it use. */
  overview(): string {
    const { info, tags, components, webhooks } = this.#document
    const item = (id: string, address: string, title: Html | string, more: Html = nothing) =>
      html`<li id="${id}"><a href="${address}">${title}</a>${more}</li>
`
    const conventions = getHeadings(info.description).map(({ id, title }) => item(id, `/docs/conventions#${id}`, title))
    const main = html`<h1>${info.title} <span class="version">${info.version}</span></h1>
<p>${info.summary} New here? Begin with the <a href="/docs/guides/first-sync">first sync</a>: a copy of the records that stays in step, in
curl, TypeScript or forty lines of Python. Then read <a href="/docs/guides/writing">writing safely</a> and <a href="/docs/guides/errors">errors</a>;
<a href="/docs/guides">all guides</a> are listed on a page of their own.</p>
<p>Clients written for Frappe Education use the <a href="/docs/records">Resource and Method API</a> on the same records.</p>
<p>For machines: <a href="/v1/openapi.json">OpenAPI 3.1 document</a>, <a href="/docs/records/openapi.json">that of the Resource and Method API</a>.</p>
<h2 id="conventions"><a href="/docs/conventions">Conventions</a></h2>
<ul class="places">${conventions}</ul>
${tags.map(({ name, description }) => {
  const address = addressOfTag(name)
  const operations = this.#of(name).map(({ method, path, operation: { operationId, summary } }) =>
    item(
      operationId,
      `${address}#${operationId}`,
      summary,
      html` <span class="quiet"><span class="method">${method}</span> <code>/v1${path}</code></span>`,
    ),
  )
  return html`<h2 id="tag-${name}"><a href="${address}">${name}</a></h2>
<p>${description}</p>
<ul class="places">${operations}</ul>
`
})}
<h2 id="webhooks"><a href="/docs/api/webhooks#what-webhooks-send">What webhooks send</a></h2>
<ul class="places short">${Object.keys(webhooks).map((type) =>
      item(`webhook-${type}`, `/docs/api/webhooks#webhook-${type}`, type),
    )}</ul>
<h2 id="headers"><a href="/docs/conventions#headers">Headers of answers</a></h2>
<ul class="places short">${Object.keys(components.headers).map((name) =>
      item(`header-${name}`, `/docs/conventions#header-${name}`, name),
    )}</ul>
<h2 id="schemas">Records and bodies</h2>
<ul class="places short">${Object.keys(components.schemas).map((name) =>
      item(`schema-${name}`, this.#homes.getAddress(name), name),
    )}</ul>`
    return page({
      title: `${info.title} ${info.version}: reference`,
      description: info.summary,
      address: '/docs',
      main,
    })
  }

  /** The page of one resource: its operations, and the records and bodies that belong to it. */
  resource(tag: string): string {
    const { info, tags } = this.#document
    const description = tags.find(({ name }) => name === tag)?.description ?? ''
    const calls = this.#of(tag)
    const sent = tag === 'Webhooks' ? this.#sent() : nothing
    const schemas = this.#homes.ofTag(tag)
    const outline: OutlineEntry[] = [
      ...calls.map(({ operation: { operationId, summary } }) => ({ id: operationId, title: summary })),
      ...(tag === 'Webhooks' ? [{ id: 'what-webhooks-send', title: 'What webhooks send' }] : []),
      ...schemas.map((name) => ({ id: `schema-${name}`, title: name })),
    ]
    const main = html`${trail(['/docs', info.title])}
<h1>${tag}</h1>
<p>${description}</p>
${calls.map((call) => operationArticle(call, this.#document, (name) => this.#homes.getAddress(name)))}
${sent}${this.#records(schemas)}`
    return page({ title: `${tag}: ${info.title}`, description, address: addressOfTag(tag), main, outline })
  }

  /** The conventions of all operations, response headers, and shared records. */
  conventions(): string {
    const { info, components } = this.#document
    const headers = Object.entries(components.headers).map(
      ([
        name,
        header,
      ]) => html`<div><dt id="header-${name}"><code>${name}</code> <span class="type">${getType(header.schema)}</span></dt>
<dd>${inlineMarkdown(header.description)} <span class="bounds">Such as <code>${String(header.example)}</code>.</span></dd></div>
`,
    )
    const shared = this.#homes.shared()
    const outline = [
      ...getHeadings(info.description),
      { id: 'headers', title: 'Headers of answers' },
      ...shared.map((name) => ({ id: `schema-${name}`, title: name })),
    ]
    const main = html`${trail(['/docs', info.title])}
<h1>Conventions</h1>
${markdown(info.description)}
<h2 id="headers"><a href="#headers">Headers of answers</a></h2>
<dl class="fields">${headers}</dl>
${this.#records(shared)}`
    return page({
      title: `Conventions: ${info.title}`,
      description: 'What holds for every operation: tokens, lists, synchronisation, writes, repetition, errors, quota.',
      address: '/docs/conventions',
      main,
      outline,
    })
  }

  /** The search entries: operations, records, conventions and webhook events. */
  entries(): SearchEntry[] {
    const { info, components, webhooks } = this.#document
    return [
      ...this.#calls.map(({ method, path, operation: { operationId, summary, tags } }) => ({
        title: summary,
        kind: `${method} /v1${path} ${operationId}`,
        address: `${addressOfTag(tags[0] ?? '')}#${operationId}`,
      })),
      ...getHeadings(info.description).map(({ id, title }) => ({
        title,
        kind: 'Convention',
        address: `/docs/conventions#${id}`,
      })),
      ...Object.keys(components.schemas).map((name) => ({
        title: name,
        kind: 'Record or body',
        address: this.#homes.getAddress(name),
      })),
      ...Object.keys(components.headers).map((name) => ({
        title: name,
        kind: 'Header',
        address: `/docs/conventions#header-${name}`,
      })),
      ...Object.keys(webhooks).map((type) => ({
        title: type,
        kind: 'Event',
        address: `/docs/api/webhooks#webhook-${type}`,
      })),
    ]
  }

  #of(tag: string): readonly Call[] {
    return this.#calls.filter(({ operation }) => operation.tags.includes(tag))
  }

  #records(names: readonly string[]): Html {
    const { schemas } = this.#document.components
    return html`${names.map(
      (
        name,
      ) => html`<article aria-labelledby="schema-${name}"><h2 id="schema-${name}"><a href="#schema-${name}">${name}</a></h2>
<p>${inlineMarkdown(schemas[name]?.description ?? '')}</p>
${fieldList(schemas[name] ?? {}, (other) => this.#homes.getAddress(other))}</article>
`,
    )}`
  }

  /** The page of webhooks: headers, body and event types. */
  #sent(): Html {
    const { webhooks, components } = this.#document
    const headers = Object.entries(components.parameters).filter(([name]) => name.startsWith('webhook-'))
    const types = Object.entries(webhooks).map(
      ([type, { post }]) => html`<div><dt id="webhook-${type}"><code>${type}</code></dt>
<dd>${inlineMarkdown(post.description)}</dd></div>
`,
    )
    return html`<article aria-labelledby="what-webhooks-send"><h2 id="what-webhooks-send"><a href="#what-webhooks-send">What webhooks send</a></h2>
<p>A POST to the address of the endpoint, with a <a href="${this.#homes.getAddress('WebhookBody')}">WebhookBody</a> as its body.</p>
<h3>Headers of a delivery</h3>${parameterList(headers.map(([, header]) => header))}
<h3>Types</h3><dl class="fields">${types}</dl></article>`
  }
}
