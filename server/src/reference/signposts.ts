import { type Html, html } from '@matricula/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { page } from './page.ts'
import { documentHeaders, htmlType } from './served-documents.ts'

/** Whether the client is a browser: it accepts HTML, programs do not. */
export function asksForPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const accepted = headers.accept ?? ''
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /\btext\/html\b/.test(accepted) && !/\bapplication\/json\b/.test(accepted)
}

/** Sends browsers a 404 page with links to existing pages. */
export function sendUnknownPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendSignpost(reply, 404, unknownPage(getPath(request)))
}

/** Sends browsers the landing page of an institution. */
export function sendInstitutionPage(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
  return sendSignpost(reply, 200, institutionPage(getPath(request), name))
}

function getPath({ url }: FastifyRequest): string {
  return url.split('?')[0] as string
}

function sendSignpost(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .headers({ ...documentHeaders, vary: 'accept' })
    .type(htmlType)
    .send(text)
}

const forPrograms: Html = html`<dl class="fields">
<div><dt><a href="/docs">Reference and guides</a></dt><dd>For whoever writes programs: begin with the <a href="/docs/guides/first-sync">first sync</a>, or <a href="/docs/search">search</a>.</dd></div>
<div><dt><code>/v1</code></dt><dd>The Client API: it wants a token, see its <a href="/docs/conventions">conventions</a>.</dd></div>
<div><dt><code>/api</code></dt><dd>The Resource and Method API, as clients of Frappe Education use it: its <a href="/docs/records">records</a> and <a href="/docs/methods">methods</a>.</dd></div>
<div><dt><a href="/problems">Problems</a></dt><dd>What a refusal means and what to do next.</dd></div>
</dl>`

/** The text of a 404 page; it does not repeat the requested path. */
function unknownPage(address: string): string {
  const main = html`<h1>There is no page at this address</h1>
<p>This is Matricula, an education administration service.</p>
<p>Did a school send you a link? Open it again from the message, whole, or ask the school for a new one. To log in, use the address that your
school gave you.</p>
<h2>For programs</h2>
${forPrograms}`
  return page({ title: 'No such page: Matricula', description: 'There is no page at this address.', address, main })
}

function institutionPage(address: string, name: string): string {
  const root = address.replace(/(?<!\/)\/+$/, '')
  const main = html`<h1>${name}</h1>
<p>This is the address of ${name} on Matricula.</p>
<p>Students, families and staff <a href="${root}/login">log in here</a>. Whoever was sent a link to hand in documents opens it from the message.</p>
<h2>For programs</h2>
<p>The records of ${name} are below <code>${root}/api/resource</code>.</p>
${forPrograms}`
  return page({ title: `${name}: Matricula`, description: `The address of ${name} on Matricula.`, address, main })
}
