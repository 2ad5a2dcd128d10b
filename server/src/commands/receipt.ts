import type { Command } from 'commander'
import { sql } from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import { digitsOfReference, shortReference } from '../values/index.ts'
import { withOperator } from './operator.ts'
import { print } from './outcome.ts'

/** Something that was received, by the reference of its receipt. */
interface Received {
  readonly kind: 'document request' | 'form submission'
  readonly id: string
  readonly title: string
  /** The student or the applicant, and the code; null for nobody's. */
  readonly fullName: string | null
  readonly code: string | null
  readonly receivedAt: string
}

/** `matricula receipt`: what stands behind the reference of a receipt. */
export function addReceiptCommand(command: Command): void {
  command
    .argument('<reference>', 'such as 9F3A1-C075B')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (reference: string, { tenant: slug, json }: { tenant: string; json?: boolean }) => {
      const digits = digitsOfReference(reference)
      if (digits === null) {
        throw new CommandError(
          'invalid_value',
          `${reference} is not a reference. A reference has ten digits and letters from A to F.`,
        )
      }
      const received = await withOperator(async ({ database, requireTenant }) => {
        const { id } = await requireTenant(slug)
        return database.transaction(id, (tx) =>
          tx.query<Received>(sql`
            select 'document request' as kind, r.id, r.title, coalesce(s.full_name, a.full_name) as "fullName",
                   coalesce(s.student_code, a.application_code) as code, r.submitted_at as "receivedAt"
              from document_requests r
              left join students s on s.tenant_id = r.tenant_id and s.id = r.student_id
              left join admission_applications a on a.tenant_id = r.tenant_id and a.id = r.application_id
             where r.tenant_id = ${tx.tenantId} and right(r.id::text, 10) = ${digits} and r.submitted_at is not null
            union all
            select 'form submission', m.id, f.name, coalesce(s.full_name, a.full_name),
                   coalesce(s.student_code, a.application_code), m.submitted_at
              from form_submissions m
              join form_templates f on f.tenant_id = m.tenant_id and f.id = m.template_id
              left join students s on s.tenant_id = m.tenant_id and s.id = m.student_id
              left join admission_applications a on a.tenant_id = m.tenant_id and a.id = m.application_id
             where m.tenant_id = ${tx.tenantId} and right(m.id::text, 10) = ${digits}`),
        )
      })
      if (received.length === 0) throw new CommandError('not_found', `Nothing was received under ${reference}.`)
      print(json, { received }, received.map(describe).join('\n'))
    })
}

function describe({ kind, id, title, fullName, code, receivedAt }: Received): string {
  const whom = fullName === null ? '' : `, ${fullName} (${code})`
  return `${shortReference(id)}  ${receivedAt}  ${kind} ${id}: ${title}${whom}`
}
