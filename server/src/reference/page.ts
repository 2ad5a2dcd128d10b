import { type Html, html, nothing } from '@matricula/pages'
import { navigation, type OutlineEntry } from './navigation.ts'

interface PageParts {
  readonly title: string
  readonly description: string
  /** The path of the page, such as `/docs/api/students`. */
  readonly address: string
  /** The HTML of the page; URLs in it are absolute paths. */
  readonly main: Html
  /** The headings of a long page. */
  readonly outline?: readonly OutlineEntry[]
}

/**
 * A whole HTML page with the contents of all documents beside it, in which it is marked. It loads one style sheet, one
 * icon and one script from this service. Its links work behind any prefix, because they are written from the page
 * itself.
 */
export function page({ title, description, address, main, outline = [] }: PageParts): string {
  const depth = Math.max(0, address.split('/').length - 2)
  // An unknown path may have any depth.
  const root = depth > 8 ? '/' : '../'.repeat(depth) || './'
  const contents = navigation(address, title, outline)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<script type="module" src="/docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="name" href="/docs">Matricula</a>
<nav aria-label="Documents">
<a href="/docs/guides">Guides</a>
<a href="/docs">Client API</a>
<a href="/docs/records">Resource API</a>
<a href="/problems">Problems</a>
</nav>
<search class="search"><a href="/docs/search">Search</a></search>
</header>
<div class="columns">
<nav class="beside" aria-label="Contents">${contents}</nav>
<details class="above"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
<main id="content" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`.text.replace(/ (href|src)="\//g, ` $1="${root}`)
}

/** The breadcrumbs of a page. */
export function trail(...steps: readonly (readonly [address: string, title: string])[]): Html {
  return steps.length === 0
    ? nothing
    : html`<nav class="trail" aria-label="Way to this page">${steps.map(
        ([address, title]) => html`<a href="${address}">${title}</a> <span aria-hidden="true">/</span> `,
      )}</nav>`
}
