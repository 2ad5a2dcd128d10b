import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportReport } from '../../features/imports/index.ts'
import type { CommandLine } from '../../testing/fixtures/command-line.ts'

/** What `import … --json` printed, and how it ended. */
export interface ImportResult extends ImportReport {
  readonly exitCode: number
  readonly path: string
  readonly failure: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the object as it was printed
  readonly printed: any
}

let count = 0

/** Imports a file with this content by the command line. */
export async function importFile(
  { folder, run }: CommandLine,
  { slug }: { readonly slug: string },
  kind: string,
  content: string | Buffer,
  { args = [], extension = 'csv' }: { readonly args?: readonly string[]; readonly extension?: string } = {},
): Promise<ImportResult> {
  count += 1
  const path = join(folder, `${kind}-${count}.${extension}`)
  await writeFile(path, content)
  const { code, stdout } = await run(['import', kind, path, '--tenant', slug, '--json', ...args])
  const printed = JSON.parse(stdout)
  const { faults: errors, faultCount: errorCount, error, report = null, ...rest } = printed
  return { ...rest, exitCode: code, path, errors, errorCount, report, failure: error?.code ?? null, printed }
}

/** The codes of what is wrong, with line and column. */
export function errorPlaces({ errors }: ImportResult): unknown[] {
  return errors.map(({ code, line, column }) => [code, line, column])
}

/** How many rows were created, updated, unchanged and refused. */
export function rowCounts({ run }: ImportResult): number[] {
  return [run.created, run.updated, run.unchanged, run.refused]
}
