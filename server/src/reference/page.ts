import { type Html, html } from '@matricula/pages'

interface PageParts {
  readonly title: string
  readonly description: string
  /** The way from the page to the service's root, such as `./`: links work behind any prefix. */
  readonly root: './' | '../' | '../../'
  readonly main: Html
  /** Links to the parts of a long page. */
  readonly contents?: Html
}

/** A whole HTML page. It loads one style sheet and one icon from this service, and runs no script. */
export function page({ title, description, root, main, contents }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${root}docs/style.css">
<link rel="icon" href="${root}docs/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="name" href="${root}docs">Matricula</a>
<nav aria-label="Documents">
<a href="${root}docs">Client API</a>
<a href="${root}docs/records">Resource API</a>
<a href="${root}problems">Problems</a>
<a href="${root}v1/openapi.json">OpenAPI</a>
</nav>
</header>
<div class="columns">
${contents === undefined ? [] : besideOrAbove(contents)}
<main id="content" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`.text
}

/** A column beside the text where there is room for one, else a list above it that opens. */
function besideOrAbove(contents: Html): Html {
  return html`<nav class="beside" aria-label="Contents">${contents}</nav>
<details class="above"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>`
}

/** A block of code that can be scrolled sideways, also by keyboard. */
export function codeBlock(label: string, code: string): Html {
  return html`<pre role="group" aria-label="${label}" tabindex="0"><code>${code}</code></pre>`
}
