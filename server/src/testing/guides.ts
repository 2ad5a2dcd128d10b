import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)

/** A program, or anything else, that a guide shows in a fence. */
export interface GuideBlock {
  readonly language: string
  readonly text: string
}

/** What a guide shows for others to copy, from the top; `path` is relative to the project's root. */
export function guideBlocks(path: string): GuideBlock[] {
  const guide = readFileSync(fileURLToPath(new URL(path, root)), 'utf8')
  return [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))
}
