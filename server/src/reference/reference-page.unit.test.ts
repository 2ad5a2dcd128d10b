import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildOpenApi, clientApi, type ProblemCode, problems } from '@matricula/contract'
import { html } from '@matricula/pages'
import { markdown } from './markdown.ts'
import { partsOf } from './openapi-parts.ts'
import { problemIndexPage, problemPage, unknownProblemPage } from './problem-pages.ts'
import { referencePage } from './reference-page.ts'

const publicUrl = 'https://matricula.example'
const reference = referencePage(partsOf(buildOpenApi({ publicUrl })))
const codes = Object.keys(problems) as ProblemCode[]
const pages = new Map([
  ['/docs', reference],
  ['/problems', problemIndexPage()],
  ['/problems/unknown', unknownProblemPage()],
  ...codes.map((code): [string, string] => [`/problems/${code}`, problemPage(code, publicUrl)]),
])

test('no page has a script, an inline style, a form or anything that sends a request', () => {
  for (const [path, page] of pages) {
    assert.doesNotMatch(page, /<(script|style|form|input|button|iframe|object|embed|base)\b/i, path)
    assert.doesNotMatch(page, /<[^>]*\s(style|on\w+)=/i, path)
  }
})

test('every link leads to a page, an asset or a place that exists, and none to another site', () => {
  const known = new Set([...pages.keys(), '/docs/style.css', '/docs/icon.svg', '/docs/records', '/v1/openapi.json'])
  for (const [path, page] of pages) {
    for (const [, link = ''] of page.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const target = new URL(link.replaceAll('&#38;', '&'), publicUrl + path)
      assert.equal(target.origin, publicUrl, `${path} links to ${link}`)
      assert.ok(known.has(target.pathname), `${path} links to ${link}`)
      const place = target.hash.slice(1)
      if (place !== '') assert.ok(pages.get(target.pathname)?.includes(`id="${place}"`), `${path} links to ${link}`)
    }
  }
})

test('every page has a language, one title, one main heading, and no id twice', () => {
  const titles = new Set<string>()
  for (const [path, page] of pages) {
    assert.match(page, /<html lang="en">/, path)
    assert.equal(page.match(/<h1>/g)?.length, 1, path)
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, path)
    titles.add(/<title>(.+)<\/title>/.exec(page)?.[1] as string)
  }
  assert.equal(titles.size, pages.size)
})

test('the reference shows every operation with its address', () => {
  for (const [id, { method, path }] of Object.entries(clientApi)) {
    assert.ok(reference.includes(`id="${id}"`), id)
    assert.ok(reference.includes(`<span class="method">${method}</span> <code>/v1${path}</code>`), id)
  }
})

test('the page of a problem says when it is given, what to do next, and shows an answer with it', () => {
  const page = problemPage('insufficient_scope', publicUrl)
  const { title, when, status } = problems.insufficient_scope
  for (const words of [
    title,
    when,
    String(status),
    'requiredScope',
    'GET /v1/me',
    `${publicUrl}/problems/insufficient_scope`,
  ]) {
    assert.ok(page.includes(words), words)
  }
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
    `[${hostile}](x)`,
  ]) {
    assert.doesNotMatch(markdown(source).text, /<img/)
  }
  assert.doesNotMatch(markdown('[here](javascript:alert(1))').text, /<a/)
})

test('Markdown makes paragraphs, lists, headings, code, emphasis and links', () => {
  const source = '## A title\n\nOne `two` **three** [four](https://x.example/).\n\n- five\n- six'
  assert.equal(
    markdown(source).text,
    [
      '<h2 id="a-title"><a href="#a-title">A title</a></h2>',
      '<p>One <code>two</code> <strong>three</strong> <a href="https://x.example/">four</a>.</p>',
      '<ul><li>five</li><li>six</li></ul>',
    ].join('\n'),
  )
})
