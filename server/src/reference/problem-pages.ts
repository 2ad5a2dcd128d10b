import {
  clientApi,
  type Operation,
  type ProblemCode,
  type ProblemKind,
  problemExample,
  problems,
  problemsOf,
} from '@matricula/contract'
import { type Html, html, nothing } from '@matricula/pages'
import { codeFigure, inlineMarkdown } from './markdown.ts'
import { addressOfTag } from './navigation.ts'
import { page, trail } from './page.ts'

const kinds = Object.entries(problems) as [ProblemCode, ProblemKind][]

/** All problem codes by status, each with a link to its page. */
export function problemIndexPage(): string {
  const statuses = [...new Set(kinds.map(([, { status }]) => status))].sort()
  const main = html`<h1>Problems</h1>
<p>Every refusal of the Client API is one of these (RFC 9457). A program decides by <code>code</code>; the page of a code
says when it is given and what to do next.</p>
${statuses.map((status) => {
  const ofStatus = kinds.filter(([, kind]) => kind.status === status)
  return html`<h2 id="status-${status}">${status}</h2>
<dl class="fields">${ofStatus.map(
    ([code, { title, when }]) => html`<div><dt><a href="/problems/${code}"><code>${code}</code></a> ${title}</dt>
<dd>${inlineMarkdown(when)}</dd></div>
`,
  )}</dl>
`
})}`
  return page({
    title: 'Problems of the Matricula Client API',
    description: 'Every problem code, when it is given and what to do next.',
    address: '/problems',
    main,
  })
}

/** The page of a problem's `type` URL: when the code occurs, what to do next, its members and an example. */
export function problemPage(code: ProblemCode, publicUrl: string): string {
  const { title, status, when, remedy, extra } = problems[code] as ProblemKind
  const example = problemExample(code, publicUrl)
  const members = Object.entries(extra ?? {})
  const main = html`${trail(['/problems', 'Problems'])}
<h1>${title}</h1>
<p class="call"><span class="method">${status}</span> <code>${code}</code></p>
<h2>When</h2>
<p>${inlineMarkdown(when)}</p>
<h2>What to do next</h2>
<p>${inlineMarkdown(remedy)}</p>
${
  members.length === 0
    ? nothing
    : html`<h2>Members</h2>
<p>Beside the members that every problem has:</p>
<dl class="fields">${members.map(
        ([name, meaning]) => html`<div><dt><code>${name}</code></dt><dd>${inlineMarkdown(sentence(meaning))}</dd></div>
`,
      )}</dl>`
}
<h2>Example</h2>
${codeFigure('json', JSON.stringify(example, null, 2), 'Answer')}
<h2>Operations that answer with it</h2>
${operationsWith(code)}`
  return page({ title: `${code}: ${title}`, description: when, address: `/problems/${code}`, main })
}

/** The page of an unknown code. */
export function unknownProblemPage(): string {
  const main = html`<h1>There is no such problem code</h1>
<p>The address names no code of this service. <a href="/problems">All problem codes</a> are listed on a page of their own.</p>`
  return page({
    title: 'There is no such problem code',
    description: 'No such page.',
    address: '/problems/unknown',
    main,
  })
}

function operationsWith(code: ProblemCode): Html {
  const all: [string, Operation][] = Object.entries(clientApi)
  const found = all.filter(([, operation]) => problemsOf(operation).includes(code))
  if (found.length === 0) return html`<p>None: it is given before an operation is found.</p>`
  if (found.length === all.length) return html`<p>All of them.</p>`
  return html`<ul>${found.map(
    ([id, { method, path, summary, tag }]) =>
      html`<li><a href="${addressOfTag(tag)}#${id}">${summary}</a> <code>${method} /v1${path}</code></li>`,
  )}</ul>`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
