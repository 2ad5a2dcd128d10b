import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { institutionKinds } from '@matricula/contract'
import type { Command } from 'commander'
import { CommandError } from '../../errors/index.ts'
import { getTemplate } from '../../features/imports/index.ts'
import { print } from '../outcome.ts'

/** `matricula import template FOLDER`: empty files with the headings of each kind. */
export function addTemplateCommand(family: Command): void {
  family
    .command('template')
    .description(
      'Writes a CSV file with the headings of each kind to a folder, to be filled in for import institution.',
    )
    .argument('<folder>')
    .option('--json', 'print one JSON object')
    .action(async (folder: string, options: { json?: boolean }) => {
      const files = institutionKinds.map((kind) => join(folder, `${kind}.csv`))
      try {
        await mkdir(folder, { recursive: true })
        // A file that was filled in is never written over.
        for (const [index, file] of files.entries()) {
          const kind = institutionKinds[index]
          if (kind !== undefined) await writeFile(file, getTemplate(kind), { flag: 'wx' })
        }
      } catch (error) {
        const { code, path } = error as NodeJS.ErrnoException
        if (code === 'EEXIST')
          throw new CommandError('already_exists', `${path} is there already. Choose another folder.`)
        throw new CommandError('invalid_value', `${folder} cannot be written (${code}).`)
      }
      const next = `Enter rows into those that you need, then: matricula import institution ${folder} --tenant SLUG --dry-run`
      print(options.json, { files }, [...files, next].join('\n'))
    })
}
