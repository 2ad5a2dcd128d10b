import type { Command } from 'commander'
import { withSecretKey } from '../app/keys/keyed-config.ts'
import { sql } from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import { studentFormUrl } from '../features/forms/index.ts'
import { withOperator } from './operator.ts'
import { print } from './outcome.ts'

interface LinkOptions {
  readonly tenant: string
  readonly student: string
  readonly json?: boolean
}

/** `matricula form …`: forms. */
export function addFormCommand(form: Command): void {
  form
    .command('link')
    .description('Creates a link to a form for one student. Anybody with the link can fill it in.')
    .argument('<key>', 'key of a published public form whose submissions belong to students')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--student <code>', 'code of the student')
    .option('--json', 'print one JSON object')
    .action(async (key: string, { tenant: slug, student, json }: LinkOptions) => {
      const url = await withOperator(async ({ config, database, requireTenant }) => {
        const tenant = await requireTenant(slug)
        const { secretKey } = await withSecretKey(config)
        const found = await database.transaction(tenant.id, async (tx) => {
          const [template] = await tx.query<{ id: string }>(sql`
            select f.id from form_templates f
              join form_template_versions v
                on v.tenant_id = f.tenant_id and v.template_id = f.id and v.version_number = f.current_version
             where f.tenant_id = ${tx.tenantId} and f.key = ${key} and f.status = 'published' and f.is_public
               and v.entity_type = 'student'`)
          const [person] = await tx.query<{ id: string }>(
            sql`select id from students where tenant_id = ${tx.tenantId} and student_code = ${student}`,
          )
          return { templateId: template?.id, studentId: person?.id }
        })
        const { templateId, studentId } = found
        if (templateId === undefined)
          throw new CommandError('not_found', `There is no published public form ${key} for students.`)
        if (studentId === undefined) throw new CommandError('not_found', `There is no student ${student}.`)
        const ids = { tenantId: tenant.id, templateId, studentId }
        return studentFormUrl({ publicUrl: config.publicUrl, secretKey }, { tenantSlug: slug, key }, ids)
      })
      print(json, { url }, url)
    })
}
