import type { Command } from 'commander'
import { addExportOneRosterCommand } from '../oneroster/export-oneroster.ts'
import { addAllCommand } from './export-all.ts'
import { addEdFiCommand } from './export-edfi.ts'
import { addKindCommands } from './export-kinds.ts'
import { addParquetCommand } from './export-parquet.ts'
import { addRecordsCommand } from './export-records.ts'

/** `matricula export …`: writes records to files. */
export function addExportCommand(family: Command): void {
  addKindCommands(family)
  addRecordsCommand(family)
  addAllCommand(family)
  addParquetCommand(family)
  addExportOneRosterCommand(family)
  addEdFiCommand(family)
}
