import { clientApi, type Operation } from '@matricula/contract'
import { type Html, html, nothing } from '@matricula/pages'
import { guides } from './documents.ts'

/** An anchor on a page. */
export interface OutlineEntry {
  readonly id: string
  readonly title: string
}

/** A page in the table of contents. */
interface Place {
  readonly address: string
  readonly title: string
}

/** The resources of the Client API in the order of its declarations, each with the path of its page. */
export const resources: readonly (Place & { readonly tag: string })[] = [
  ...new Set(Object.values(clientApi as Record<string, Operation>).map(({ tag }) => tag)),
].map((tag) => ({ tag, title: tag, address: `/docs/api/${tag.toLowerCase()}` }))

/** The address of the page of a resource. */
export function addressOfTag(tag: string): string {
  return resources.find((resource) => resource.tag === tag)?.address ?? '/docs'
}

const sections: readonly { readonly title: string; readonly places: readonly Place[] }[] = [
  {
    title: 'Start',
    places: [
      { address: '/docs', title: 'Overview' },
      { address: '/docs/guides', title: 'All guides' },
      { address: '/docs/changelog', title: 'Changelog' },
    ],
  },
  { title: 'Guides', places: guides },
  { title: 'Client API', places: [{ address: '/docs/conventions', title: 'Conventions' }, ...resources] },
  {
    title: 'Resource and Method API',
    places: [
      { address: '/docs/records', title: 'Records' },
      { address: '/docs/methods', title: 'Methods' },
    ],
  },
  { title: 'Staff console', places: [{ address: '/docs/console', title: 'Console operations' }] },
  { title: 'Refusals', places: [{ address: '/problems', title: 'Problems' }] },
]

/** Index pages whose subpages are in the contents too. */
const parents = ['/docs/records', '/docs/methods', '/problems']

/** The contents of all documents, with the page at an address marked and its headings below it. */
export function navigation(address: string, title: string, outline: readonly OutlineEntry[]): Html {
  const inside = outline.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  const headings = inside.length === 0 ? nothing : html`<ul>${inside}</ul>`
  return html`${sections.map(
    (section) => html`<p>${section.title}</p>
<ul>${section.places.map((location) => entry(location, address, title, headings))}</ul>
`,
  )}`
}

function entry(location: Place, address: string, title: string, headings: Html): Html {
  if (location.address === address) {
    return html`<li><a href="${address}" aria-current="page">${location.title}</a>${headings}</li>`
  }
  const isAbove = parents.includes(location.address) && address.startsWith(`${location.address}/`)
  const below = isAbove
    ? html`<ul><li><a href="${address}" aria-current="page">${title.split(':')[0] as string}</a>${headings}</li></ul>`
    : nothing
  return html`<li><a href="${location.address}">${location.title}</a>${below}</li>`
}
