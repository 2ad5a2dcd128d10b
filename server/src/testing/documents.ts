import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../../', import.meta.url)

/** What is done with a block by the test that walks all documents, as a comment right before it says. */
export type Marking =
  | { readonly kind: 'runs' }
  /** `<!-- not run: why -->` */
  | { readonly kind: 'not run'; readonly reason: string }
  /** `<!-- is refused: code -->`: the service refuses something in it, which is what it shows. */
  | { readonly kind: 'is refused'; readonly code: string }
  /** `<!-- runs until it prints words -->`: it would go on for ever. */
  | { readonly kind: 'until it prints'; readonly words: string }
  /** `<!-- runs until there is file -->` */
  | { readonly kind: 'until there is'; readonly file: string }

/** Something that a document shows in a fence. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The line where it begins. */
  readonly line: number
  readonly marking: Marking
}

/** The languages whose blocks are programs, and so are run unless they say why not. */
export const programs = ['sh', 'js', 'ts', 'python', 'yaml']

/** The languages of what is only shown. */
export const shown = ['json', 'http', 'text', 'mermaid']

/** The paths of all documents of the project, from its root. */
export function documentPaths(): string[] {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(node_modules|data|dist|artefacts|coverage|\..*)$/.test(entry.name))
    .map(({ name }) => name)
  const below = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  return [...readdirSync(root), ...below]
    .filter((path) => path.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(path))
    .sort()
}

/** The text of a document; `path` is relative to the project's root. */
export function documentText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

/** What a document shows for others to copy, from the top. */
export function blocksOf(path: string): Block[] {
  const document = documentText(path)
  return [...document.matchAll(/^( *)```(\S*)[^\n]*\n(.*?)^\1```$/gms)].map((found) => {
    const [, indent = '', language = '', text = ''] = found
    const before = document.slice(0, found.index)
    const [, comment] = /<!-- ([^>]*?) -->\s*$/.exec(before) ?? []
    return {
      language,
      text: text.replace(new RegExp(`^${indent}`, 'gm'), ''),
      line: before.split('\n').length,
      marking: markingOf(comment, `${path}:${before.split('\n').length}`),
    }
  })
}

function markingOf(comment: string | undefined, place: string): Marking {
  if (comment === undefined) return { kind: 'runs' }
  const [, kind, rest = ''] =
    /^(not run|is refused|runs until it prints|runs until there is):? ([\s\S]+)$/.exec(comment) ?? []
  switch (kind) {
    case 'not run':
      return { kind, reason: rest }
    case 'is refused':
      return { kind, code: rest }
    case 'runs until it prints':
      return { kind: 'until it prints', words: rest }
    case 'runs until there is':
      return { kind: 'until there is', file: rest }
    default:
      throw new Error(`${place}: nobody knows what "${comment}" says about the block`)
  }
}
