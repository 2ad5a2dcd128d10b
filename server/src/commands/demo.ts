import { randomUUID } from 'node:crypto'
import { activeScopes, domains } from '@matricula/contract'
import { Presets, SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { readConfig } from '../app/config.ts'
import { withSecretKey } from '../app/keys/keyed-config.ts'
import { requireFreeAddress } from '../app/listen.ts'
import { createLog } from '../app/logging/log.ts'
import { serveUntilStopped } from '../app/serve.ts'
import { putDownBeforeEnd, runsUntilStopped } from '../app/shutdown.ts'
import { seedTenant } from '../app/tenant-seeds.ts'
import { noTenant, sql, type Transaction } from '../database/index.ts'
import { publicFormUrl } from '../features/forms/index.ts'
import { RequestLinks } from '../features/requests/index.ts'
import { createApiKey } from '../identity/index.ts'
import { createTenant, findTenant, type TenantRecord } from '../tenancy/index.ts'
import { newId } from '../values/index.ts'
import { parseWholeNumber } from './arguments.ts'
import { type DemoLogIn, openDemoLogIns } from './demo-log-ins.ts'
import { type DemoSize, loadDemoRecords } from './demo-records.ts'
import { type Operator, openFiles, operatorContext, withOperator } from './operator.ts'
import { print } from './outcome.ts'

interface DemoOptions {
  tenant: string
  students: string
  payments: string
  seed: string
  serve?: boolean
  json?: boolean
}

/** What the demo hands to whoever tries the service. */
interface Demo {
  readonly tenant: TenantRecord
  readonly token: string
  readonly key: string
  readonly counts: Readonly<Record<string, number>>
  /** A student to try things on. */
  readonly studentId: string | null
  /** A student who has a report card, by code. */
  readonly studentCode: string | null
  /** Address of the page of a document request that waits, and of a form; null where there is none. */
  readonly requestUrl: string | null
  readonly formUrl: string | null
  /** Who may log in to the console. */
  readonly logIns: readonly DemoLogIn[]
}

/** `matricula demo`: a tenant with believable records, and credentials for it. */
export function addDemoCommand(command: Command): void {
  command
    .option('--tenant <slug>', 'created when missing; a tenant with records is not changed', 'demo')
    .option('--students <number>', 'how many students', '500')
    .option('--payments <number>', 'how many payments', '3000')
    .option('--seed <number>', 'another seed gives other records', '1')
    .option('--serve', 'start the service afterwards')
    .option('--json', 'print one JSON object')
    .action(async (options: DemoOptions) => {
      const size = {
        students: parseWholeNumber(0, 10_000_000)(options.students),
        payments: parseWholeNumber(0, 100_000_000)(options.payments),
        seed: parseWholeNumber(0, 4_294_967_295)(options.seed),
      }
      if (options.serve) {
        await requireFreeAddress(readConfig(process.env))
        runsUntilStopped()
      }
      const demo = await withOperator(
        (operator) => prepareDemo(operator, options.tenant, size, options.json === true),
        {
          mayBegin: true,
        },
      )
      const { tenant, token, key, counts, requestUrl, formUrl, logIns } = demo
      const config = readConfig(process.env)
      const consoleUrl = `${config.publicUrl}/t/${tenant.slug}/console/`
      const facts = { tenant, token, key, counts, requestUrl, formUrl, consoleUrl, logIns }
      if (!options.serve) return print(options.json, facts, credentials(demo, config.publicUrl))
      await putDownBeforeEnd(
        serveUntilStopped(config, await createLog(config), () => {
          print(options.json, facts, welcome(demo, config.publicUrl))
        }),
      )
    })
}

async function prepareDemo(operator: Operator, slug: string, size: DemoSize, isQuiet: boolean): Promise<Demo> {
  const found = await operator.asOwner(noTenant, (tx) => findTenant(tx, slug))
  const tenant =
    found ??
    (await operator.asOwner(newId(), async (tx) => {
      const created = await createTenant(tx, slug, { name: 'Hillside International College' })
      seedTenant(tx)
      return created
    }))
  await operator.noteCommand(tenant)
  const { fillDemoTenant, isTenantEmpty } = await loadDemoRecords()
  if (await isTenantEmpty(operator.connection, tenant.id)) {
    const bar = new SingleBar(
      { format: 'Demo records  {bar}  {percentage} %  {value} of {total}', noTTYOutput: false, hideCursor: true },
      Presets.shades_classic,
    )
    const isShown = !isQuiet && process.stderr.isTTY
    if (isShown) bar.start(1, 0)
    else if (!isQuiet) process.stderr.write('Demo records are made: 500 students take about half a minute.\n')
    const store = await openFiles(operator)
    try {
      await fillDemoTenant(operator.connection, tenant, size, store, (done, total) => {
        if (!isShown) return
        bar.setTotal(total)
        bar.update(done)
      })
    } finally {
      await store.close()
    }
    if (isShown) bar.stop()
  }
  const context = operatorContext(tenant)
  const shared = { masterDomains: [...domains], requestsPerMinute: 60_000, expiresInSeconds: null }
  const token = { ...shared, kind: 'client', name: 'demo', scopes: [...activeScopes], roles: [] } as const
  const key = { ...shared, kind: 'resource', name: 'demo', scopes: [], roles: ['System Manager'] } as const
  const config = await withSecretKey(operator.config)
  const logIns = await openDemoLogIns(operator.database, context, config.secretKey)
  return operator.database.transaction(tenant.id, async (tx) => {
    const [request] = await tx.query<{ id: string }>(sql`
      select id from document_requests
       where tenant_id = ${tx.tenantId} and status = 'open' and expires_at > now() order by created_at, id limit 1`)
    const [form] = await tx.query<{ key: string }>(sql`
      select key from form_templates
       where tenant_id = ${tx.tenantId} and status = 'published' and is_public order by created_at, id limit 1`)
    const [student] = await tx.query<{ id: string }>(
      sql`select id from students where tenant_id = ${tx.tenantId} and status = 'active' order by created_at, id limit 1`,
    )
    const [graded] = await tx.query<{ student: string }>(sql`
      select student from assessment_results
       where tenant_id = ${tx.tenantId} and docstatus = 1 order by created_at, id limit 1`)
    return {
      tenant,
      logIns,
      token: (await createApiKey(tx, context, token)).secret,
      key: (await createApiKey(tx, context, { ...key, masterDomains: [] })).secret,
      counts: await countRecords(tx),
      studentId: student?.id ?? null,
      studentCode: graded?.student ?? null,
      requestUrl:
        request === undefined
          ? null
          : new RequestLinks(config).getAddress({ tenantId: tenant.id, requestId: request.id }),
      formUrl: form === undefined ? null : publicFormUrl(config.publicUrl, tenant.slug, form.key),
    }
  })
}

async function countRecords(tx: Transaction): Promise<Record<string, number>> {
  const [counts] = await tx.query<Record<string, number>>(sql`
    select (select count(*) from programs where tenant_id = ${tx.tenantId}) as programs,
           (select count(*) from courses where tenant_id = ${tx.tenantId}) as courses,
           (select count(*) from students where tenant_id = ${tx.tenantId}) as students,
           (select count(*) from admission_applications where tenant_id = ${tx.tenantId}) as applications,
           (select count(*) from contacts where tenant_id = ${tx.tenantId}) as contacts,
           (select count(*) from payments where tenant_id = ${tx.tenantId}) as payments,
           (select count(*) from documents where tenant_id = ${tx.tenantId}) as documents,
           (select count(*) from document_requests where tenant_id = ${tx.tenantId}) as requests,
           (select count(*) from form_templates where tenant_id = ${tx.tenantId}) as templates,
           (select count(*) from form_submissions where tenant_id = ${tx.tenantId}) as submissions,
           (select count(*) from employees where tenant_id = ${tx.tenantId}) as employees,
           (select count(*) from program_enrollments where tenant_id = ${tx.tenantId}) as enrollments,
           (select count(*) from course_enrollments where tenant_id = ${tx.tenantId}) as "courseEnrollments",
           (select count(*) from student_groups where tenant_id = ${tx.tenantId}) as "studentGroups",
           (select count(*) from course_schedules where tenant_id = ${tx.tenantId}) as lessons,
           (select count(*) from student_attendances where tenant_id = ${tx.tenantId}) as attendances,
           (select count(*) from student_leave_applications where tenant_id = ${tx.tenantId}) as leaves,
           (select count(*) from assessment_plans where tenant_id = ${tx.tenantId}) as "assessmentPlans",
           (select count(*) from assessment_results where tenant_id = ${tx.tenantId}) as "assessmentResults",
           (select count(*) from fees where tenant_id = ${tx.tenantId}) as fees,
           (select count(*) from gl_entries where tenant_id = ${tx.tenantId}) as "ledgerEntries"`)
  return counts ?? {}
}

function credentials({ tenant, token, key, counts, requestUrl, formUrl, logIns }: Demo, publicUrl: string): string {
  const records = Object.entries(counts).map(
    ([noun, count]) => `${count} ${noun.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
  )
  return [
    `Tenant         ${tenant.name} (${tenant.slug}): ${records.join(', ')}`,
    `Client API     ${token}`,
    `Resource API   ${key}`,
    ...(requestUrl === null ? [] : [`A request      ${requestUrl}`]),
    ...(formUrl === null ? [] : [`A form         ${formUrl}`]),
    ...(logIns.length === 0 ? [] : [`Console        ${publicUrl}/t/${tenant.slug}/console/`]),
    ...logIns.map(({ who, email, password }) => ` ${who.padEnd(14)}${email}   password ${password}`),
  ].join('\n')
}

function welcome(demo: Demo, publicUrl: string): string {
  const authorization = `-H "Authorization: Bearer ${demo.token}"`
  const resource = `curl -s -H "Authorization: Bearer ${demo.key}"`
  const fields = encodeURIComponent(JSON.stringify(['name', 'student_name', 'gender', 'joining_date']))
  const method = 'education.education.report_card.get_student_report_card'
  const { currency } = demo.tenant
  const payment = { studentId: demo.studentId, amount: 120, currency, description: 'Laboratory fee', dueDate: null }
  return `
Matricula runs at ${publicUrl}     reference: ${publicUrl}/docs     stop: Ctrl-C

${credentials(demo, publicUrl)}

Paste this line first, then what the guides show (${publicUrl}/docs/guides):

export MATRICULA_URL=${publicUrl} MATRICULA_TOKEN=${demo.token} MATRICULA_KEY=${demo.key}

Try it:

curl -s ${authorization} ${publicUrl}/v1/me
curl -s ${authorization} "${publicUrl}/v1/students?limit=3"
curl -s ${authorization} -H "Idempotency-Key: ${randomUUID()}" -H "Content-Type: application/json" -d '${JSON.stringify(payment)}' ${publicUrl}/v1/payments

${resource} "${publicUrl}/api/resource/Student?fields=${fields}&limit_page_length=3"
${demo.studentCode === null ? '' : `${resource} "${publicUrl}/api/method/${method}?student=${encodeURIComponent(demo.studentCode)}"\n`}`
}
