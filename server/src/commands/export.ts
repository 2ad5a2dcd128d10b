import type { Command } from 'commander'
import { addExportOneRosterCommand } from './oneroster/export-oneroster.ts'

/** `matricula export …`: writes an institution's data into files. */
export function addExportCommand(program: Command): void {
  const family = program.command('export').description('Exports the data of an institution into files.')
  addExportOneRosterCommand(family)
}
