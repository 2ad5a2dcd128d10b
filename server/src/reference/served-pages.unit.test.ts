import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientApi, consoleApi, type ProblemCode, problems, roleScopes } from '@matricula/contract'
import { html } from '@matricula/pages'
import Fastify from 'fastify'
import { addRecordReferenceRoutes, sessionMethods } from '../resource-api/index.ts'
import { records } from '../testing/fixtures/all-records.ts'
import { servedDocuments } from './documents.ts'
import { inlineMarkdown, markdown } from './markdown.ts'
import { resources } from './navigation.ts'
import { problemPage } from './problem-pages.ts'
import { addReferenceRoutes } from './reference-routes.ts'

const publicUrl = 'https://matricula.example'
const app = Fastify()
const addresses: string[] = []
app.addHook('onRoute', ({ url, method }) => {
  if (method === 'GET' && !/[:*]|\/$/.test(url)) addresses.push(url)
})
const methods = [...sessionMethods.values(), ...records.methods.values()]
addRecordReferenceRoutes(addReferenceRoutes(app, { publicUrl }), { publicUrl }, records.registry.declared(), methods)

const answers = new Map<string, { text: string; type: string }>()
for (const address of addresses) {
  const { body, headers, statusCode } = await app.inject(address)
  assert.equal(statusCode, 200, `${address}: ${body}`)
  answers.set(address, { text: body, type: String(headers['content-type']) })
}
const pages = new Map([...answers].filter(([, { type }]) => type.startsWith('text/html')))
/** Documents of the repository may refer to other sites; what is made from declarations does not. */
const ofRepository = new Set(servedDocuments.map(({ address }) => address))

test('no page has a script of its own, an inline style, a form or anything that sends a request', () => {
  assert.ok(pages.size > 250)
  for (const [address, { text }] of pages) {
    const scripts = [...text.matchAll(/<script\b[^>]*>/g)].map(([script]) => script)
    assert.equal(scripts.length, 1, address)
    assert.match(scripts[0] as string, /^<script type="module" src="[./]+docs\/reference\.js">$/)
    assert.doesNotMatch(text, /<(style|form|input|button|iframe|object|embed|base)\b/i, address)
    assert.doesNotMatch(text, /<[^>]*\s(style|on\w+)=/i, address)
  }
})

test('every link leads to a document or a place that exists, and none from what is made to another site', () => {
  for (const [address, { text }] of pages) {
    for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const target = new URL(link.replaceAll('&#38;', '&'), publicUrl + address)
      if (target.origin !== publicUrl && ofRepository.has(address)) continue
      assert.equal(target.origin, publicUrl, `${address} links to ${link}`)
      const led = answers.get(target.pathname)
      assert.ok(led, `${address} links to ${link}`)
      const location = decodeURIComponent(target.hash.slice(1))
      if (location !== '') assert.ok(led.text.includes(` id="${location}"`), `${address} links to ${link}`)
    }
  }
})

test('guides show their pictures with what is seen on them, and the pictures are served', async () => {
  const { text = '' } = answers.get('/docs/guides/staff-bursar-es') ?? {}
  const [, source = '', alt = ''] = /<img src="([^"]+)" alt="([^"]+)" loading="lazy">/.exec(text) ?? []
  assert.equal(source, '../../docs/guides/pictures/bursar-desk.es.png')
  assert.ok(alt.length > 20, alt)
  const { headers, rawPayload, statusCode } = await app.inject('/docs/guides/pictures/bursar-desk.es.png')
  assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'])
  const file = new URL('../../../docs/staff/pictures/bursar-desk.es.png', import.meta.url)
  assert.ok(rawPayload.equals(readFileSync(file)))
})

test('what the search finds is there', async () => {
  const { text } = answers.get('/docs/search-index.js') ?? { text: '' }
  const { default: entries } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    default: [title: string, kind: string, address: string][]
  }
  assert.ok(entries.length > 500)
  for (const [title, kind, address] of entries) {
    const [path = '', location] = address.split('#')
    const found = answers.get(path)
    assert.ok(found && title !== '' && kind !== '', address)
    if (location !== undefined) assert.ok(found.text.includes(` id="${location}"`), address)
  }
  for (const id of Object.keys(clientApi))
    assert.ok(
      entries.some(([, kind]) => kind.endsWith(` ${id}`)),
      id,
    )
})

test('every page has a language, one title, one main heading, itself marked in the contents, and no id twice', () => {
  const titles = new Map<string, string>()
  for (const [address, { text }] of pages) {
    assert.match(text, /<html lang="en">/, address)
    assert.equal(text.match(/<h1>/g)?.length, 1, address)
    const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, `${address}: ${ids.filter((id, at) => ids.indexOf(id) !== at)}`)
    const title = /<title>(.+)<\/title>/.exec(text)?.[1] as string
    assert.equal(titles.get(title), undefined, `${address} is called as ${titles.get(title)}`)
    titles.set(title, address)
    const marked =
      /^\/docs\/(?:search|decisions(?:\/|$)|guides\/(?:client-readme|accounting-bridge|sync-district|district-data|backup-format))/
    if (!marked.test(address)) assert.equal(text.match(/aria-current="page"/g)?.length, 2, address)
  }
})

test('headings go down one level at a time', () => {
  for (const [address, { text }] of pages) {
    const levels = [...text.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level))
    for (const [position, level] of levels.entries()) {
      assert.ok(level <= (levels[position - 1] ?? 0) + 1, `${address}: h${levels[position - 1]} before h${level}`)
    }
  }
})

test('each operation has its address and three examples on the page of its resource, and the old place leads there', () => {
  const overview = answers.get('/docs')?.text ?? ''
  for (const [id, { method, path, tag }] of Object.entries(clientApi)) {
    const { address = '' } = resources.find((resource) => resource.tag === tag) ?? {}
    const [, article = ''] = (answers.get(address)?.text ?? '').split(`<article aria-labelledby="${id}">`)
    const own = article.split('</article>')[0] as string
    assert.ok(own.includes(`<span class="method">${method}</span> <code>/v1${path}</code>`), id)
    const languages = [...own.matchAll(/<figure class="code" data-language="(\w+)">/g)].map(([, language]) => language)
    assert.deepEqual(languages.slice(0, 3), ['sh', 'ts', 'python'], id)
    assert.ok(overview.includes(`<li id="${id}"><a href=".${address}#${id}">`), id)
  }
})

test('the console’s own operations stand on one page, with a call of each, and what each role opens', () => {
  const { text = '' } = answers.get('/docs/console') ?? {}
  for (const [id, { method, path }] of Object.entries(consoleApi)) {
    const [, article = ''] = text.split(`<article aria-labelledby="${id}">`)
    assert.ok(article.includes(`<span class="method">${method}</span> <code>{tenant}/console/v1${path}</code>`), id)
    assert.match(article.split('</article>')[0] as string, /await fetch\(/, id)
  }
  for (const role of Object.keys(roleScopes)) assert.ok(text.includes(`<dt>${role}</dt>`), role)
})

test('every type of record and every method has a page with its fields or arguments and a call', () => {
  for (const { type } of records.registry.declared()) {
    const { text = '' } = answers.get(`/docs/records/${type.name.toLowerCase().replace(/[^a-z]+/g, '-')}`) ?? {}
    for (const field of Object.keys(type.fields))
      assert.ok(text.includes(`<code>${field}</code>`), `${type.name} ${field}`)
    assert.match(text, /<code>curl /, type.name)
  }
  for (const { path, parameters } of methods) {
    const { text = '' } = answers.get(`/docs/methods/${path}`) ?? {}
    for (const name of Object.keys(parameters)) assert.ok(text.includes(`<code>${name}</code>`), `${path} ${name}`)
    assert.match(text, /<code>curl /, path)
  }
})

test('the page of a problem says when it is given, what to do next, and shows an answer with it', () => {
  const text = problemPage('insufficient_scope', publicUrl)
  const { title, when, status } = problems.insufficient_scope
  for (const phrase of [
    title,
    when,
    String(status),
    'requiredScope',
    'GET /v1/me',
    `${publicUrl}/problems/insufficient_scope`,
  ]) {
    assert.ok(text.includes(phrase), phrase)
  }
  for (const code of Object.keys(problems) as ProblemCode[]) assert.ok(pages.has(`/problems/${code}`), code)
})

test('what is put into a page is escaped', () => {
  const hostile = `<img src=x onerror="alert('1')">&`
  assert.equal(html`<p>${hostile}</p>`.text, '<p>&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;</p>')
  for (const source of [
    hostile,
    `\`${hostile}\``,
    `**${hostile}**`,
    `- ${hostile}`,
    `## ${hostile}`,
    `[${hostile}](https://x.example)`,
    `\`\`\`${hostile}\n${hostile}\n\`\`\``,
    `| ${hostile} |\n|---|\n| ${hostile} |`,
    `![${hostile}](${hostile})`,
    `<!-- a comment --> ${hostile}`,
  ]) {
    assert.doesNotMatch(markdown(source).text, /<img/, source)
    assert.doesNotMatch(inlineMarkdown(source).text, /<img/, source)
  }
  const images: [link: string, shown: string][] = [
    ['/docs/guides/pictures/x.png', '<img src="/docs/guides/pictures/x.png" alt="&#60;b&#62;&#38;" loading="lazy">'],
    ['/docs/a&b.png', '<img src="/docs/a&#38;b.png" alt="&#60;b&#62;&#38;" loading="lazy">'],
    ['/docs/guides/x.svg', '&#60;b&#62;&#38;'],
    ['https://x.example/docs/x.png', '&#60;b&#62;&#38;'],
    ['//x.example/docs/x.png', '&#60;b&#62;&#38;'],
  ]
  for (const [link, shown] of images) {
    assert.equal(markdown(`![<b>&](${link})`, (address) => address).text, `<p>${shown}</p>`, link)
  }
  for (const address of ['javascript:alert(1)', 'data:text/html,x', '//x.example', 'java\nscript:alert(1)']) {
    assert.doesNotMatch(markdown(`[here](${address})`).text, /<a/, address)
  }
})

test('Markdown makes paragraphs, lists, headings with the ids of GitHub, code, tables, emphasis and links; comments are not shown', () => {
  const source = [
    '# Title',
    '<!-- not run: no reason -->',
    '## A `code`, and more',
    'One `two` **three** [four](https://x.example/).',
    '- five\n- six',
    '```sh\necho "<seven>"\n```',
    '| a | b |\n| --- | --- |\n| 1 | `2` |',
  ].join('\n\n')
  assert.equal(
    markdown(source).text,
    [
      '<h1>Title</h1>',
      '<h2 id="a-code-and-more"><a href="#a-code-and-more">A <code>code</code>, and more</a></h2>',
      '<p>One <code>two</code> <strong>three</strong> <a href="https://x.example/">four</a>.</p>',
      '<ul>\n<li>five</li>\n<li>six</li>\n</ul>',
      '<figure class="code" data-language="sh"><figcaption>Shell</figcaption><pre role="group" aria-label="Shell" tabindex="0"><code>echo &#34;&#60;seven&#62;&#34;</code></pre></figure>',
      '<div class="table" role="group" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table></div>',
    ].join('\n'),
  )
})
