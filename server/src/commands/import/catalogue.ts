import { readFile } from 'node:fs/promises'
import { CatalogueFile, type Static } from '@matricula/contract'
import type { Command } from 'commander'
import { CommandError, unreadableFile } from '../../errors/index.ts'
import { importCourse } from '../../features/courses/index.ts'
import { type ImportOutcome, importProgram } from '../../features/programs/index.ts'
import { getErrors } from '../../http/index.ts'
import { operatorContext, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

type Tally = Record<ImportOutcome, number>

interface CatalogueOptions {
  readonly tenant: string
  readonly json?: boolean
}

/** `matricula import catalogue`: programs and courses from one JSON file. */
export function addCatalogueCommand(family: Command): void {
  family
    .command('catalogue')
    .description('Creates and updates programs and courses from a JSON file; the same file again changes nothing.')
    .argument('<file>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The file: { "programs": [{ "name": "Nursing", "code": "NUR", "educationLevel": "undergraduate" }],
            "courses":  [{ "name": "Anatomy I", "code": "ANAT-1", "credits": 6, "programs": ["Nursing"] }] }
An entry is found by its externalId, else by its name. All of it is imported, or nothing.`,
    )
    .action(importCatalogue)
}

/** Imports a catalogue file and prints what came of it. Throws `CommandError` `invalid_file` and `not_found`. */
export async function importCatalogue(file: string, options: CatalogueOptions): Promise<void> {
  const catalogue = await readCatalogue(file)
  const report = await withOperator(async (operator) => {
    const tenant = await operator.requireTenant(options.tenant)
    const context = operatorContext(tenant)
    return operator.database.transaction(tenant.id, async (tx) => {
      const programs: Tally = { created: 0, updated: 0, unchanged: 0 }
      const courses: Tally = { created: 0, updated: 0, unchanged: 0 }
      for (const entry of catalogue.programs ?? []) programs[await importProgram(tx, context, entry)] += 1
      for (const entry of catalogue.courses ?? []) courses[await importCourse(tx, context, entry)] += 1
      return { programs, courses }
    })
  })
  const line = (noun: string, tally: Tally) =>
    `${noun.padEnd(9)} ${tally.created} created, ${tally.updated} updated, ${tally.unchanged} unchanged`
  print(options.json, report, `${line('Programs', report.programs)}\n${line('Courses', report.courses)}`)
}

async function readCatalogue(file: string): Promise<Static<typeof CatalogueFile>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadableFile(file, error)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CommandError('invalid_file', `${file} is not valid JSON: ${(error as Error).message}`)
  }
  const validationErrors = getErrors(CatalogueFile, value)
  if (validationErrors.length > 0) {
    throw new CommandError(
      'invalid_file',
      `${file} cannot be imported:\n${validationErrors.map((f) => `  ${f.pointer}: ${f.detail}`).join('\n')}`,
    )
  }
  return value as Static<typeof CatalogueFile>
}
