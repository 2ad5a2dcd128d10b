import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { PageTemplateError, type PageValues, pageTemplate } from './page-template.ts'
import { page as built } from './portal-build.fixture.ts'

const hostile = [
  `'; steal(); '`,
  '"+steal()+"',
  '</script><script>steal()</script>',
  '<!--<script>',
  '\u0024{steal()}',
  '`\u0024{steal()}`',
  '\\',
  "\\'; steal(); //",
  '\u2028steal()\u2029',
  '{{ frappe.session.csrf_token }}',
  '{% for key in boot %}',
  '" onload="steal()',
  '$&$1',
]

/** Runs the scripts of a page as a browser does and returns the window. */
function getWindow(page: string): Record<string, unknown> {
  const window: Record<string, unknown> = {}
  const steal = () => assert.fail('a value became code')
  for (const [, body = ''] of page.matchAll(/<script nonce="[^"]*">([\s\S]*?)<\/script>/g)) {
    runInNewContext(body, { window, Object, steal })
  }
  return window
}

const valuesWith = (text: string): PageValues => {
  const boot = { csrf_token: text, site_name: text, [text]: 'named' }
  return { boot, abbr: text, logo: text, frappe: { session: { csrf_token: text, user: text }, boot } }
}

test('page templates: every expression is filled, and no value leaves its context', () => {
  const template = pageTemplate(built)
  for (const text of hostile) {
    const page = template(valuesWith(text), 'n0nce')
    const window = getWindow(page)
    assert.equal(window.csrf_token, text)
    assert.equal(window.school, text)
    assert.equal(window.site_name, text)
    assert.equal(window[text], 'named')
    assert.deepEqual(JSON.parse(JSON.stringify(window.frappe)).csrf_token, text)
    assert.equal([...page.matchAll(/<script\b/g)].length, 4, 'no value begins a script')
    const [, icon = ''] = /<link rel="icon" href="([^"]*)" \/>/.exec(page) ?? []
    assert.equal(
      icon.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
      text,
    )
    assert.ok(!page.includes('{%') || text.includes('{%'))
  }
  const plain = template(valuesWith('SCH'), 'n0nce')
  assert.match(plain, /<title>SCH<\/title>/)
  assert.equal([...plain.matchAll(/<script nonce="n0nce"/g)].length, 4)
  assert.ok(plain.indexOf('window.frappe') < plain.indexOf('type="module"'))
})

test('page templates: unknown values are empty, inherited names too', () => {
  const template = pageTemplate(
    `<p>{{ nobody }}{{ boot.constructor }}{{ __proto__ }}{{ frappe.session.toString }}{# a note #}</p><script>x = '{{ constructor }}'</script>`,
  )
  const page = template({ boot: {}, frappe: { session: {} } }, 'n')
  assert.ok(page.startsWith('<p></p><script nonce="n">'))
  assert.ok(page.endsWith(`<script nonce="n">x = ''</script>`))
})

test('page templates: other statements are rejected by name', () => {
  for (const statement of ['{% include "a.html" %}', '{%- if user -%}', '{% for row in rows %}{% endfor %}']) {
    assert.throws(
      () => pageTemplate(`<html><body>${statement}</body></html>`),
      (error: Error) =>
        error instanceof PageTemplateError && error.message.includes(statement.split(/[ %-]+/)[1] as string),
    )
  }
})
