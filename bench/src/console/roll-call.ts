import { prepareSchedules } from '../fees.ts'
import { asOwner } from '../services/bench-database.ts'
import type { BenchService } from '../services/bench-service.ts'

const students = 30
const days = 10

const toDay = (index: number) => new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10)

const median = (values: readonly number[]) => [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

/** The rows of a roll call that are written again by hand in one transaction. */
const copies = ['student_attendances', 'audit_entries'] as const

/** Calls the roll of 30 students in one request, day after day, beside a transaction that writes the same rows by hand. */
export async function printRollCall(service: BenchService): Promise<void> {
  const { tenantId, key } = await service.fill('roll-call', 2 * students, 0)
  await asOwner(service, async (owner) => {
    await prepareSchedules(service, owner, { tenantId, key }, 0)
    const { rows } = await owner.query<{ student: string }>(
      `select student_code as student from students where tenant_id = $1 and status = 'active' order by student_code limit $2`,
      [tenantId, students],
    )
    const requests: number[] = []
    for (let index = 0; requests.length < days; index += 1) {
      const body = { student_group: 'Bench', date: toDay(index), students_present: rows, students_absent: [] }
      const started = performance.now()
      const response = await fetch(`${service.address}/api/method/education.education.api.mark_attendance`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (response.ok) requests.push(performance.now() - started)
      else if (!text.includes('holiday')) throw new Error(`the roll call was refused: ${text}`)
    }
    const byHand: number[] = []
    for (let index = 0; index < days; index += 1) {
      const started = performance.now()
      await owner.query('begin')
      for (const table of copies) {
        const own =
          table === 'student_attendances' ? `, 'name', left(md5(random()::text), 20), 'date', '2030-01-01'` : ''
        await owner.query(
          `insert into ${table}
           select copy.*
             from (select * from ${table} where tenant_id = $1 order by id desc limit $2) r,
                  jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object('id', gen_random_uuid()${own})) copy`,
          [tenantId, table === 'student_attendances' ? students : 2 * students],
        )
      }
      await owner.query('rollback')
      byHand.push(performance.now() - started)
    }
    const [request, sql] = [median(requests), median(byHand)]
    process.stdout.write(
      `a roll call of ${students}: ${request.toFixed(1)} ms, by hand ${sql.toFixed(1)} ms, ratio ${(request / sql).toFixed(1)}; at most 50 ms are wanted\n`,
    )
  })
}
