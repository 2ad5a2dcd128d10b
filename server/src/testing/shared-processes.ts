import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How many test files run in one process at most: with more, one that runs last keeps the others waiting for it. */
const mostFiles = 8
/** Into how many processes few files are shared, so that all that run at once have something to do. */
const leastProcesses = 12

/**
 * Shares test files among processes, in a program for each that is written into `folder`; answers these programs. To load the
 * service and to compile what is called often takes longer than most files take. In a process one file runs after the other:
 * the next is loaded when the one before has ended what it started (`afterFile`).
 */
export async function shareProcesses(files: readonly string[], folder: string): Promise<string[]> {
  const count = Math.min(files.length, Math.max(leastProcesses, Math.ceil(files.length / mostFiles)))
  // Neighbours are alike, and those that take long are: they are dealt out like cards.
  const shares = Array.from({ length: count }, (_, place) => files.filter((_, index) => index % count === place))
  return Promise.all(
    shares.map(async (share, place) => {
      const program = join(folder, `tests-${String(place).padStart(2, '0')}.mjs`)
      await writeFile(program, `${opening}${share.map((file) => `await run(${nameAndAddress(file)})\n`).join('')}`)
      return program
    }),
  )
}

const opening = `import { test } from 'node:test'
import { endFile, shareProcess } from ${JSON.stringify(new URL('file-end.js', import.meta.url).href)}
shareProcess()
async function run(name, address) {
  await import(address)
  await test(\`\${name} has ended what it started\`, endFile)
}
`

function nameAndAddress(file: string): string {
  return `${JSON.stringify(file.replace(/^.*\/dist\//, ''))}, ${JSON.stringify(pathToFileURL(file).href)}`
}
