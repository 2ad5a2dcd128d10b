import { type Html, html, jsonHtml, nothing } from './html.ts'
import { type Locale, locales, messagesIn } from './messages/index.ts'

/** Where a page stands and in which language. */
export interface PageContext {
  readonly locale: Locale
  /** Whether the visitor chose the language on the page, so that its links must keep it. */
  readonly isLocaleChosen: boolean
  /** The relative way from the address shown to the service's root, such as `../`: links work behind any prefix. */
  readonly root: string
  /** The address of the request or the form from the root, without a query, such as `r/<token>`. */
  readonly path: string
  /** What the address of this page has after it, such as `/receipt`. */
  readonly below: string
  /** What the address says of the visit after its `?`, which its links to itself keep, such as `key=…`; nothing where it is absent. */
  readonly query?: string
  /** The folder of style and scripts from the root, such as `pages/<hash>`. */
  readonly assets: string
}

interface FrameParts {
  /** Null where nothing tells which institution the visitor came for. */
  readonly institution: string | null
  readonly title: string
  readonly hasFaults?: boolean
  readonly main: Html
  /** Whom to ask, under the page. */
  readonly foot?: Html
  /** The script of the page, by the name of its module, with what it needs to know. */
  readonly script?: { readonly module: 'request-page' | 'form-page' | 'passkey'; readonly data: unknown }
}

/** A whole page: one style sheet, at most one script, nothing from anywhere else, and nothing to be indexed. */
export function frame(context: PageContext, parts: FrameParts): string {
  const { page } = messagesIn(context.locale)
  const { institution, title, main, foot, script } = parts
  const error = parts.hasFaults === true ? `${page.errorPrefix} ` : ''
  const folder = `${context.root}${context.assets}`
  return html`<!doctype html>
<html lang="${context.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${error}${title}${institution === null ? '' : ` – ${institution}`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/style.css">
${script === undefined ? nothing : html`<script type="module" src="${folder}/${script.module}.js"></script>`}
</head>
<body>
<a class="skip" href="#content">${page.skip}</a>
<header class="top">
<div class="wide">
${institution === null ? nothing : html`<span class="seal" aria-hidden="true">${initials(institution)}</span><h1>${institution}</h1>`}
${languages(context)}
</div>
</header>
<main id="content" tabindex="-1">
${main}
</main>
${foot === undefined ? nothing : html`<footer>${foot}</footer>`}
${script === undefined ? nothing : data(script.data)}
</body>
</html>
`.text
}

/** An address at or below the request or the form, which keeps a chosen language. */
export function getAddress({ root, path, locale, isLocaleChosen }: PageContext, below = ''): string {
  return `${root}${path}${below}${isLocaleChosen ? `?lang=${locale}` : ''}`
}

function languages({ root, path, below, locale, query }: PageContext): Html {
  const stored = query === undefined ? '' : `${query}&`
  const links = locales.map((other) => {
    const current = other === locale ? html` aria-current="true"` : nothing
    return html`<a href="${root}${path}${below}?${stored}lang=${other}" lang="${other}" hreflang="${other}" rel="nofollow"${current}>${messagesIn(other).name}</a>`
  })
  return html`<nav aria-label="${messagesIn(locale).page.language}">${links}</nav>`
}

function initials(institution: string): string {
  const capitalized = institution.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word))
  const chosen = capitalized.length > 0 ? capitalized : [institution]
  return chosen
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
}

/** What a script reads: a block of data, which the browser does not run. */
function data(value: unknown): Html {
  return html`<script type="application/json" id="data">${jsonHtml(value)}</script>`
}
