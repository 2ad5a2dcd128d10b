import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How many test files run in one process at most: with more, one that runs last keeps the others waiting for it. */
const maxFiles = 8
/** Into how many processes few files are shared, so that all that run at once have something to do. */
const minProcesses = 12

/** Parts of the names of files that take longest, in this order: they begin first, so that none of them is waited for alone at the end. */
export const longest = [
  ...['document-walk', 'hostile-texts', 'service-processes', 'shutdown', 'commands/backup/backup', 'data/everywhere'],
  ...['personal-data/personal-data', 'sync-rules', 'every-operation', 'export/export.test', 'request-page.browser'],
  ...['import-files', 'import-runs', 'browser/pages.browser', 'app/service.test', 'owned-backups', 'every-right'],
  ...['several-services', 'sync-records.', 'event-waiting', 'what-readers-see', 'largest-requests'],
  ...['upgrade-database', 'form-page.browser', 'demo.test', 'sync-district.slow.test', 'caller.unit', 'console-door'],
  ...[
    'acceptance.slow.test',
    'academics.test',
    'request-timeouts',
    'body-memory',
    'reference.browser',
    'release',
    'outages',
  ],
  ...[
    'embedded-postgres.slow.test',
    'several-processes',
    'tracing',
    'console.journey',
    'bars.journey',
    'documents.journey',
  ],
  ...['declared.journey', 'requests.journey', 'faults.journey', 'keyboard.journey', 'lists.journey'],
]

/**
 * Shares test files among processes, in a program for each that is written into `folder`; returns these programs. To load the
 * service and to compile what is called often takes longer than most files take. In a process one file runs after the other:
 * the next is loaded when the one before has ended what it started (`afterFile`).
 */
export async function shareProcesses(files: readonly string[], folder: string): Promise<string[]> {
  const count = Math.min(files.length, Math.max(minProcesses, Math.ceil(files.length / maxFiles)))
  const long = longest.flatMap((part) => files.filter((file) => file.includes(part)))
  const ordered = [...new Set([...long, ...files])]
  // Neighbours are alike: they are dealt out like cards.
  const shares = Array.from({ length: count }, (_, position) =>
    ordered.filter((_, index) => index % count === position),
  )
  return Promise.all(
    shares.map(async (share, position) => {
      const program = join(folder, `tests-${String(position).padStart(2, '0')}.mjs`)
      await writeFile(
        program,
        `${opening}${share.map((file) => `await run(${nameAndAddress(file)})\n`).join('')}endProcess()\n`,
      )
      return program
    }),
  )
}

const opening = `import { test } from 'node:test'
import { endFile, endProcess, shareProcess } from ${JSON.stringify(new URL('file-end.js', import.meta.url).href)}
shareProcess()
async function run(name, address) {
  await import(address)
  await test(\`\${name} has ended what it started\`, endFile)
}
`

function nameAndAddress(file: string): string {
  return `${JSON.stringify(file.replace(/^.*\/dist\//, ''))}, ${JSON.stringify(pathToFileURL(file).href)}`
}
