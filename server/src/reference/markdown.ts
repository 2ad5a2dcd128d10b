import { type Html, html, joined } from '@matricula/pages'

/**
 * The HTML of the CommonMark that the contract writes: paragraphs, `- ` lists, `##` headings with an id, code spans,
 * strong emphasis and links. Everything else is text.
 */
export function markdown(source: string): Html {
  return joined(
    source
      .split(/\n{2,}/)
      .filter((block) => block.trim() !== '')
      .map(block),
    '\n',
  )
}

/** One line of it, without blocks. */
export function inlineMarkdown(source: string): Html {
  const spans = source.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^[\]]+\]\([^()\s]+\))/)
  return html`${spans.map((span, index) => (index % 2 === 0 ? span : marked(span)))}`
}

/** The `##` headings of a text with their ids. */
export function headingsOf(source: string): { id: string; title: string }[] {
  return [...source.matchAll(/^## (.+)$/gm)].map(([, title]) => ({ id: idOf(title as string), title: title as string }))
}

function block(source: string): Html {
  if (source.startsWith('## ')) {
    const title = source.slice(3)
    return html`<h2 id="${idOf(title)}"><a href="#${idOf(title)}">${title}</a></h2>`
  }
  const lines = source.split('\n')
  if (lines.every((line) => line.startsWith('- '))) {
    return html`<ul>${lines.map((line) => html`<li>${inlineMarkdown(line.slice(2))}</li>`)}</ul>`
  }
  return html`<p>${inlineMarkdown(source)}</p>`
}

function marked(span: string): Html {
  if (span.startsWith('`')) return html`<code>${span.slice(1, -1)}</code>`
  if (span.startsWith('**')) return html`<strong>${span.slice(2, -2)}</strong>`
  const [, words = '', address = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(span) ?? []
  return /^https?:\/\//.test(address) ? html`<a href="${address}">${words}</a>` : html`${span}`
}

function idOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
