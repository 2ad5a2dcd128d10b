import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { CommandError } from '../../errors/index.ts'
import { addImportOneRosterCommand } from '../oneroster/import-oneroster.ts'
import { addCatalogueCommand, importCatalogue } from './catalogue.ts'
import { addInstitutionCommand } from './import-institution.ts'
import { addKindCommands } from './import-kinds.ts'
import { addRunCommands } from './import-runs.ts'
import { addTemplateCommand } from './import-template.ts'

/** `matricula import …`: brings records in from files. */
export function addImportCommand(family: Command): void {
  family
    .argument('[file]', 'deprecated: a catalogue file, see import catalogue')
    .option('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .allowExcessArguments()
    .action(async (file: string | undefined, options: { tenant?: string; json?: boolean }) => {
      if (file === undefined) return family.help({ error: true })
      if (/^[\w-]+$/.test(file) && !existsSync(file)) throw unknownImport(family, file)
      if (options.tenant === undefined || family.args.length > 1) return family.help({ error: true })
      process.stderr.write('matricula import FILE is deprecated: use matricula import catalogue FILE.\n')
      await importCatalogue(file, { tenant: options.tenant, json: options.json === true })
    })
  addKindCommands(family)
  addInstitutionCommand(family)
  addCatalogueCommand(family)
  addRunCommands(family)
  addImportOneRosterCommand(family)
  addTemplateCommand(family)
}

/** The word that is neither a kind of records nor a file, with the kinds that begin alike. */
function unknownImport(family: Command, word: string): CommandError {
  const kinds = family.commands.map((command) => command.name())
  const alike = kinds.filter((kind) => kind.slice(0, 4) === word.slice(0, 4).toLowerCase())
  const hint = alike.length > 0 ? `Did you mean ${alike.join(' or ')}?` : `There are: ${kinds.join(', ')}.`
  return new CommandError('wrong_usage', `There is no import of ${word}, nor such a file. ${hint}`)
}
