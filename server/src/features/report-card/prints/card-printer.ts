import { AsyncResource } from 'node:async_hooks'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { cardPrintBounds } from '@matricula/contract'
import {
  Cancelled,
  type Database,
  DatabaseUnavailable,
  literal,
  sql,
  type Transaction,
} from '../../../database/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'
import { RecordEngine, RecordError, type RecordRegistry } from '../../../record-engine/index.ts'
import { readCustomFields } from '../../../tenancy/custom-fields/index.ts'
import type { Tenant } from '../../../tenancy/index.ts'
import { newId } from '../../../values/index.ts'
import { callerOfCreator } from '../../bulk-jobs/index.ts'
import { defaultCompany } from '../../organisation/index.ts'
import { loadReportCards } from '../load-report-cards.ts'
import type { ReportCard } from '../report-card.ts'
import { ReportCardsPdf } from '../report-card-pdf.ts'
import { readCardsOfGroup, requireMayReadCards } from './cards-of-group.ts'
import { type PrintRow, selectPrints } from './print-store.ts'

/** Dependencies of prints in the background. */
export interface PrintPlatform {
  readonly database: Database
  readonly registry: RecordRegistry
  readonly report: (error: unknown) => void
}

/** How many cards are read and set at a time: that many are in memory. */
const batchSize = 25

/** A run that has told nothing for so long is taken for dead, in seconds. */
const deadAfter = 60

/** The print was cancelled, or another process has begun it anew. */
class OvertakenError extends Error {}

/**
 * Sets the report cards of groups as documents, in batches whose pages are stored and let go of. A process that is killed leaves
 * a print that another one begins anew.
 */
export class CardPrinter {
  readonly #platform: PrintPlatform
  readonly #running = new Set<Promise<void>>()
  /** The asynchronous context of the printer's creation, so that its work belongs to no request. */
  readonly #outside = new AsyncResource('CardPrinter')
  #isShuttingDown = false

  constructor(platform: PrintPlatform) {
    this.#platform = platform
  }

  /** Runs the prints of a tenant after the transaction that makes one; does nothing when that is rolled back. */
  wakeSoon(tenant: Tenant, id: string): void {
    const run = this.#outside
      .runInAsyncScope(async () => {
        if (await this.#untilThere(tenant, id)) await this.runAll(tenant, () => !this.#isShuttingDown)
      })
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable || error instanceof Cancelled)) this.#platform.report(error)
      })
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  async #untilThere(tenant: Tenant, id: string): Promise<boolean> {
    for (let look = 0; look < 20 && !this.#isShuttingDown; look += 1) {
      await pause(50)
      const found = await this.#platform.database.read(tenant.id, selectPrints(tenant.id, sql`p.id = ${id}`))
      if (found.length > 0) return !this.#isShuttingDown
    }
    return false
  }

  /** Graceful shutdown: ends after the current batch. */
  async stop(): Promise<void> {
    this.#isShuttingDown = true
    await Promise.all(this.#running)
  }

  /** Runs the open prints of a tenant that nobody runs, oldest first, while there is time. */
  async runAll(tenant: Tenant, hasTime: () => boolean): Promise<void> {
    while (hasTime()) {
      const run = newId()
      const print = await this.#platform.database.transaction(tenant.id, (tx) => takeNext(tx, run))
      if (print === null) return
      try {
        await this.#print(tenant, print, run, hasTime)
      } catch (error) {
        if (error instanceof OvertakenError) continue
        if (!(error instanceof RecordError)) throw error
        await this.#end(tenant, print, run, sql`status = 'failed', fault = ${error.message.slice(0, 1000)}`)
      }
    }
  }

  async #print(tenant: Tenant, print: PrintRow, run: string, hasTime: () => boolean): Promise<void> {
    const slow = this.#platform.database.for({ partition: 'long' })
    const asCreator = <Result>(work: (engine: RecordEngine) => Promise<Result>) =>
      slow.transaction(tenant.id, async (tx) =>
        work(new RecordEngine(tx, await callerOfCreator(tx, tenant, print), this.#platform.registry, { isLong: true })),
      )
    const { students, institution } = await asCreator(async (engine) => ({
      students: await studentsOf(engine, print),
      institution: (await defaultCompany(engine))?.name ?? tenant.slug,
    }))
    await this.#tell(tenant, print, run, sql`total = ${students.length}, students = ${students}::text[]`)
    const title = `Report cards of ${print.student_group}, ${print.academic_term ?? print.academic_year}`
    const pdf = await ReportCardsPdf.open(title, { institution, showMarks: print.shows_marks })
    const read = (from: number) => {
      const batch = students.slice(from, from + batchSize)
      const cards = asCreator(async (engine) =>
        (await loadReportCards(engine, batch, print)).map(({ card }): ReportCard => card),
      )
      // Whoever takes it is told; where nobody does any more, nobody has to be.
      cards.catch(() => {})
      return cards
    }
    let position = 0
    let next = read(0)
    for (let done = 0; done < students.length; done += batchSize) {
      if (!hasTime()) return this.#tell(tenant, print, run, sql`status = 'queued', done = 0, run = null`)
      const cards = await next
      // The next ones are read while these are set.
      if (done + batchSize < students.length) next = read(done + batchSize)
      for (const card of cards) {
        await pdf.add(card)
        await turn() // requests come first
      }
      position += 1
      await this.#store(tenant, print, run, { position, bytes: pdf.take(), done: done + cards.length })
    }
    await this.#store(tenant, print, run, { position: position + 1, bytes: await pdf.end(), done: students.length })
    await this.#end(tenant, print, run, sql`status = 'done'`)
  }

  async #store(
    tenant: Tenant,
    print: PrintRow,
    run: string,
    part: { readonly position: number; readonly bytes: Buffer; readonly done: number },
  ): Promise<void> {
    await this.#platform.database.transaction(tenant.id, async (tx) => {
      await update(tx, print.id, run, sql`done = ${part.done}`)
      tx.send(sql`
        insert into report_card_print_parts (tenant_id, print_id, position, bytes)
        values (${tx.tenantId}, ${print.id}, ${part.position}, ${part.bytes})`)
    })
  }

  #tell(tenant: Tenant, print: PrintRow, run: string, set: ReturnType<typeof sql>): Promise<void> {
    return this.#platform.database.transaction(tenant.id, (tx) => update(tx, print.id, run, set))
  }

  async #end(tenant: Tenant, print: PrintRow, run: string, set: ReturnType<typeof sql>): Promise<void> {
    await this.#tell(tenant, print, run, sql`${set}, finished_at = current_stamp()`)
  }
}

/** The students whose cards a print has, in the order of the group. Throws `PermissionError` once the caller may not read them any more. */
export async function studentsOf(
  engine: RecordEngine,
  { student_group, academic_year, academic_term, only_complete }: PrintRow,
): Promise<string[]> {
  requireMayReadCards(engine)
  const period = { studentGroup: student_group, academicYear: academic_year, academicTerm: academic_term }
  const { students } = await readCardsOfGroup(engine, period)
  const wanted = only_complete ? students.filter(({ results, lacks }) => results > 0 && lacks.length === 0) : students
  return wanted.map(({ student }) => student)
}

async function takeNext(tx: Transaction, run: string): Promise<PrintRow | null> {
  const [print] = await tx.query<PrintRow>(sql`
    update report_card_prints set status = 'running', run = ${run}, done = 0, updated_at = current_stamp()
     where tenant_id = ${tx.tenantId} and id = (
       select p.id from report_card_prints p
        where p.tenant_id = ${tx.tenantId} and (p.status = 'queued' or p.status = 'running'
              and p.updated_at < now() - make_interval(secs => ${literal(deadAfter)}))
        order by p.created_at, p.id limit 1 for update skip locked)
    returning *`)
  if (print === undefined) return null
  tx.send(sql`delete from report_card_print_parts where tenant_id = ${tx.tenantId} and print_id = ${print.id}`)
  return print
}

/** Changes a print that a run still has. Throws `OvertakenError` for one that it has no more. */
async function update(tx: Transaction, id: string, run: string, set: ReturnType<typeof sql>): Promise<void> {
  const updated = await tx.query(sql`
    update report_card_prints set ${set}, updated_at = current_stamp()
     where tenant_id = ${tx.tenantId} and id = ${id} and run = ${run} and status = 'running'
    returning id`)
  if (updated.length === 0) throw new OvertakenError('the print was cancelled, or is run by another process')
}

/** The job that begins the prints of ended processes anew, and forgets those that were kept long enough. */
export function cardPrintsJob(getPrinter: (database: Database) => CardPrinter): Job {
  return {
    name: 'report-card-prints',
    everySeconds: 60,
    run: async (database, tenant, hasTime = () => true) => {
      const customFields = await readCustomFields((statement) => database.read(tenant.id, statement), tenant.id)
      await getPrinter(database).runAll({ ...tenant, systemOfRecord: tenant.sorByDomain, customFields }, hasTime)
      await inBatches(5, hasTime, async () => {
        const gone = await database.transaction(tenant.id, (tx) =>
          tx.query(sql`
            delete from report_card_prints
             where tenant_id = ${tx.tenantId} and id in (
               select id from report_card_prints
                where tenant_id = ${tx.tenantId}
                  and created_at < now() - make_interval(hours => ${literal(cardPrintBounds.keptHours)})
                limit 5)
            returning 1 as gone`),
        )
        return gone.length
      })
    },
  }
}
