import type { Command } from 'commander'
import { CommandError } from '../../errors/index.ts'
import { writeInterchanges } from '../../features/ed-fi/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { disclosingExport } from './export-disclosures.ts'
import { recordExport, writeFolder } from './export-target.ts'

interface EdFiOptions {
  readonly tenant: string
  readonly output: string
  readonly schoolId: string
  readonly json?: boolean
}

/** `matricula export edfi`: students, contacts, enrolments and attendance as documents of the Ed-Fi Data Standard. */
export function addEdFiCommand(family: Command): void {
  family
    .command('edfi')
    .description('Exports students, contacts, enrolments and attendance as XML of the Ed-Fi Data Standard 5.2.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('-o, --output <place>', 'a folder, a zip archive, or s3://bucket/prefix?endpoint=…&region=…')
    .option('--school-id <number>', 'the SchoolId by which the receiver knows the institution', '1')
    .option('--json', 'print one JSON object')
    .action(async ({ tenant, output, json, ...options }: EdFiOptions) => {
      const schoolId = parseSchoolId(options.schoolId)
      const progress = new ProgressLine('Exporting', json === true)
      const counts = await withOperator(async (operator) => {
        const record = await operator.requireTenant(tenant)
        return writeFolder(output, async (folder) => {
          await recordExport(operator, record, { kind: 'edfi', schoolId })
          const asked = { operation: 'export edfi', filter: { schoolId } }
          await disclosingExport(operator, record, asked, (disclosures) => disclosures.addEverybody())
          return writeInterchanges(operator.database, record.id, folder, schoolId, (name, count) => {
            progress.tell(`${name}: ${count}`)
          })
        })
      })
      progress.end()
      const lines = Object.entries(counts.elements).map(([name, count]) => `${name.padEnd(40)} ${count}`)
      const omitted = counts.studentsWithoutBirthDate
      if (omitted > 0) {
        lines.push(
          `${omitted} students have no date of birth, which Ed-Fi requires. They are left out with all that is about ` +
            'them: enter their dates and export again.',
        )
      }
      print(json, { export: { kind: 'edfi', output, schoolId, ...counts } }, lines.join('\n') || 'Nothing to export.')
    })
}

/** Throws `CommandError`. */
function parseSchoolId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new CommandError('invalid_value', `${text} must be the SchoolId of the receiver, such as 255901001.`)
}
