import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../../', import.meta.url)

/** Every message of the catalogues of a language, in the syntax of ICU MessageFormat. */
function readMessages(language: string): string[] {
  const messages: string[] = []
  for (const folder of ['console/messages/', 'pages/messages/']) {
    for (const file of readdirSync(new URL(folder, root)).filter((name) => name.endsWith(`.${language}.json`))) {
      JSON.parse(readFileSync(new URL(folder + file, root), 'utf8'), (_key, value) => {
        if (typeof value === 'string') messages.push(value)
        return value
      })
    }
  }
  return messages
}

/** What stands in italics: guides name what is on the screen so. */
function readLabels(text: string): string[] {
  const italics = text.matchAll(/(?<![*\w])\*([^*\n]+(?:\n[^*\n]+)?)\*(?!\*)/g)
  return [...italics].map(([, label = '']) => label.replace(/\s+/g, ' ').replace(/…$/, ''))
}

const guides = readdirSync(new URL('docs/staff/', root)).filter((file) => file.endsWith('.md'))

const roles = ['teacher', 'bursar', 'registrar', 'admissions', 'administrator']

/** The pictures of a guide, each with its alternative text. */
function readPictures(file: string): { alt: string; path: string }[] {
  const images = readFileSync(new URL(`docs/staff/${file}`, root), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)
  return [...images].map(([, alt = '', path = '']) => ({ alt: alt.replace(/\s+/g, ' ').trim(), path }))
}

test('the guide of each role shows its screens in its own language, and says in it what is seen', () => {
  const used = new Set<string>()
  for (const role of roles) {
    const english = readPictures(`${role}.md`)
    assert.ok(english.length >= 2, role)
    for (const language of ['en', 'es', 'pt']) {
      const suffix = language === 'en' ? '' : `.${language}`
      const own = readPictures(`${role}${suffix}.md`)
      const wanted = english.map(({ path }) => path.replace(/\.png$/, `${suffix}.png`))
      assert.deepEqual(
        own.map(({ path }) => path),
        wanted,
        `${role}${suffix}`,
      )
      for (const [place, { alt, path }] of own.entries()) {
        assert.notEqual(alt, '', path)
        if (language !== 'en') assert.notEqual(alt, english[place]?.alt, path)
        used.add(path)
      }
    }
  }
  const files = readdirSync(new URL('docs/staff/pictures/', root)).map((file) => `pictures/${file}`)
  assert.deepEqual([...used].sort(), files.sort())
})

for (const language of ['en', 'es', 'pt']) {
  test(`guides of the staff in ${language} name screens and buttons as the console does`, () => {
    const messages = readMessages(language)
    const own = guides.filter((file) => (/\.(es|pt)\.md$/.exec(file)?.[1] ?? 'en') === language)
    assert.ok(own.length >= 5)
    for (const file of own) {
      const labels = readLabels(readFileSync(new URL(`docs/staff/${file}`, root), 'utf8'))
      assert.ok(labels.length > 3, file)
      // A label is a whole message, or begins one or a form of its plural.
      const unknown = labels.filter((label) => !messages.some((message) => `{${message}`.includes(`{${label}`)))
      assert.deepEqual(unknown, [], file)
    }
  })
}
