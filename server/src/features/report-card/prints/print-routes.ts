import { reportCardOperations } from '@matricula/contract'
import type { RequestContext } from '../../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { implement, type Route } from '../../../http/index.ts'
import { asProblem, getCaller, RecordEngine, type RecordRegistry } from '../../../record-engine/index.ts'
import { newId } from '../../../values/index.ts'
import { type CardPrinter, studentsOf } from './card-printer.ts'
import { findPeriod, readCardsOfGroup } from './cards-of-group.ts'
import { type PrintRow, requirePrint, toPrint } from './print-store.ts'

/** The operations of the report cards of groups in the console. */
export function cardPrintRoutes(registry: RecordRegistry, printer: CardPrinter): Route[] {
  const engineOf = (tx: Transaction, context: RequestContext) => new RecordEngine(tx, getCaller(context), registry)
  const plain = <Result>(record: Result) => ({ record, entityTag: null })
  return implement(reportCardOperations, {
    readReportCardsOfGroup: (database, { context, query }) =>
      database.transaction(context.tenant.id, (tx) =>
        asProblem('group or term', async () => {
          const engine = engineOf(tx, context)
          return plain(await readCardsOfGroup(engine, await findPeriod(engine, query.studentGroup, query.academicTerm)))
        }),
      ),
    createReportCardPrint: (tx, { context, body }) =>
      asProblem('group or term', async () => {
        const period = await findPeriod(engineOf(tx, context), body.studentGroup, body.academicTerm)
        const { actor, address } = context
        const id = newId()
        await tx.query(sql`
          insert into report_card_prints (tenant_id, id, student_group, academic_year, academic_term, shows_marks, only_complete,
                                          user_id, user_name, address)
          values (${tx.tenantId}, ${id}, ${period.studentGroup}, ${period.academicYear}, ${period.academicTerm},
                  ${body.showMarks ?? true}, ${body.onlyComplete ?? false}, ${actor.id}, ${actor.name}, ${address})`)
        printer.wakeSoon(context.tenant, id)
        return plain(toPrint(await requirePrint(tx, getCaller(context), id)))
      }),
    getReportCardPrint: async (database, { context, params }) =>
      plain(toPrint(await find(database, context, params.id))),
    cancelReportCardPrint: async (tx, { context, params }) => {
      const { id } = await requirePrint(tx, getCaller(context), params.id)
      await tx.query(sql`
        update report_card_prints set status = 'cancelled', finished_at = current_stamp(), updated_at = current_stamp()
         where tenant_id = ${tx.tenantId} and id = ${id} and status in ('queued', 'running')`)
      return plain(toPrint(await requirePrint(tx, getCaller(context), id)))
    },
    downloadReportCardPrint: async (database, { context, params, mediaType }) => {
      const print = await find(database, context, params.id)
      if (print.status !== 'done') {
        const text = `The print is ${print.status}. Download it once it is done.`
        throw new Problem('state_conflict', text, { currentState: print.status })
      }
      // Asked again: whoever may not read the cards any more gets none, and who has left the group since is on their pages.
      const members = await database.transaction(context.tenant.id, (tx) =>
        asProblem('group', () => studentsOf(engineOf(tx, context), print)),
      )
      const students = print.students.length > 0 ? [...print.students] : members
      const found = plain({ ...toPrint(print), students })
      if (mediaType !== 'application/pdf') return found
      const fileName = `Report cards ${print.student_group}.pdf`
      return { ...found, file: { bytes: await readParts(database, context, print.id), fileName } }
    },
  })
}

const find = (database: Database, context: RequestContext, id: string): Promise<PrintRow> =>
  database.transaction(context.tenant.id, (tx) => requirePrint(tx, getCaller(context), id))

/** The bytes of a print, read part by part. */
async function readParts(database: Database, { tenant }: RequestContext, id: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let position = 1; ; position += 1) {
    const [part] = await database.readSlowly<{ bytes: Buffer }>(
      tenant.id,
      sql`select bytes from report_card_print_parts
           where tenant_id = ${tenant.id} and print_id = ${id} and position = ${position}`,
    )
    if (part === undefined) return Buffer.concat(parts)
    parts.push(part.bytes)
  }
}
