import { mkdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How many test files run in one process at most: with many more, what they leave in its memory is felt. */
const maxFiles = 30
/** How many processes there are at least: as many as run at once. */
const minProcesses = 4

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
 * the next is loaded when the one before has ended what it started (`afterFile`). Each process takes the next file that none has taken
 * yet, so that none is waited for alone at the end.
 */
export async function shareProcesses(files: readonly string[], folder: string): Promise<string[]> {
  const long = longest.flatMap((part) => files.filter((file) => file.includes(part)))
  const ordered = [...new Set([...long, ...files])]
  await mkdir(join(folder, 'taken'))
  const addresses = ordered.map((file) => [file.replace(/^.*\/dist\//, ''), pathToFileURL(file).href])
  await writeFile(join(folder, 'files.json'), JSON.stringify(addresses))
  const count = Math.min(files.length, Math.max(minProcesses, Math.ceil(files.length / maxFiles)))
  return Promise.all(
    Array.from({ length: count }, async (_, position) => {
      const program = join(folder, `tests-${String(position).padStart(2, '0')}.mjs`)
      await writeFile(program, source)
      return program
    }),
  )
}

/** Takes files in their order, as long as there are some that no other process has taken. */
export function* takeFiles<File>(files: readonly File[], folder: string): Generator<File> {
  let count = 0
  for (const [index, file] of files.entries()) {
    if (count === maxFiles) return
    if (!take(join(folder, 'taken', String(index)))) continue
    count += 1
    yield file
  }
}

/** Whether a folder was made: of several processes one makes it. */
function take(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

const at = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)

const source = `import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endFile, endProcess, shareProcess } from ${at('file-end.js')}
import { takeFiles } from ${at('shared-processes.js')}
shareProcess()
const folder = fileURLToPath(new URL('.', import.meta.url))
for (const [name, address] of takeFiles(JSON.parse(readFileSync(folder + 'files.json', 'utf8')), folder)) {
  await import(address)
  await test(name + ' has ended what it started', endFile)
}
endProcess()
`
