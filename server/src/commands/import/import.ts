import type { Command } from 'commander'
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
    .action(async (file: string | undefined, options: { tenant?: string; json?: boolean }) => {
      if (file === undefined || options.tenant === undefined) return family.help({ error: true })
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
