import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import { CommandError } from '../../errors/index.ts'
import { takeOverLineItem } from '../../features/oneroster/index.ts'
import { RecordEngine, RecordError } from '../../record-engine/index.ts'
import { importCaller } from '../import/import-caller.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface TakeOptions {
  readonly tenant: string
  readonly course?: string
  readonly assessmentGroup?: string
  readonly gradingScale?: string
  readonly criterion?: string
  readonly maximum?: string
  readonly json?: boolean
}

/** `matricula line-item take`: what a learning platform has put, as an Assessment Plan. */
export function addLineItemCommands(family: Command): void {
  family
    .command('take')
    .description(
      'Takes a line item over into an Assessment Plan, its results as drafts; again, it brings what has changed since.',
    )
    .argument('<sourcedId>', 'the sourcedId of the line item')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--course <name>', 'the course, for a homeroom')
    .option('--assessment-group <name>', 'the Assessment Group; the root by default')
    .option('--grading-scale <name>', 'the Grading Scale; that of the course by default')
    .option('--criterion <name>', 'the criterion; that with the title of the line item by default')
    .option('--maximum <score>', 'the maximum score; that of the line item, or 100 by default')
    .option('--json', 'print one JSON object')
    .action(async (sourcedId: string, options: TakeOptions) => {
      const maximum = options.maximum === undefined ? null : Number(options.maximum)
      if (maximum !== null && !(maximum > 0 && maximum <= 1_000_000)) {
        throw new CommandError('invalid_value', `${options.maximum} is no maximum score: write a number such as 100.`)
      }
      const taken = await withOperator(async (operator) => {
        const record = await operator.requireTenant(options.tenant)
        const { tenant, actor, requestId, address } = await importCaller(operator, record)
        const caller = {
          tenant,
          kind: 'key',
          user: 'Administrator',
          fullName: 'Command line',
          roles: new Set(['System Manager', 'Academics User']),
          actor,
          requestId,
          address,
        } as const
        return operator.database.transaction(record.id, (tx) =>
          takeOverLineItem(new RecordEngine(tx, caller, recordRegistry), {
            lineItem: sourcedId,
            course: options.course ?? null,
            assessmentGroup: options.assessmentGroup ?? null,
            gradingScale: options.gradingScale ?? null,
            criterion: options.criterion ?? null,
            maximum,
          }).catch((error: unknown) => {
            if (!(error instanceof RecordError)) throw error
            const code = error.type === 'DoesNotExistError' ? 'not_found' : 'invalid_value'
            throw new CommandError(code, error.message)
          }),
        )
      })
      const { assessment_plan: plan, created, updated, unchanged, refused } = taken
      const lines = refused.map(({ student, reason }) => `  ${student}: ${reason}`)
      const counts = `${plan}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${refused.length} refused`
      print(options.json, taken, [counts, ...lines].join('\n'))
    })
}
