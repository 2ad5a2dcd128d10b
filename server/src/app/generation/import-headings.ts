import { readFileSync } from 'node:fs'
import { columnTitles, importKinds, setupKinds } from '@matricula/contract'
import { importColumns } from '../../features/imports/index.ts'

const begin = '<!-- headings: begin -->'
const end = '<!-- headings: end -->'

/** The guide of imports with the titles of all columns, by kind, in the place of those that it has. */
export function importGuide(location: URL): string {
  const text = readFileSync(location, 'utf8')
  const [before = '', after = ''] = [text.split(begin)[0], text.split(end)[1]]
  const tables = [...importKinds, ...setupKinds].map((kind) => {
    const rows = importColumns(kind).map((name) => {
      const [english = '', spanish = '', portuguese = ''] = columnTitles[name] ?? []
      return `| \`${name}\` | ${english} | ${spanish} | ${portuguese} |`
    })
    return `### ${kind}\n\n| Field | English | Spanish | Portuguese |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return `${before}${begin}\n\n${tables.join('\n')}\n${end}${after}`
}
