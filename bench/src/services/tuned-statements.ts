const fields = `
  p.id, p.external_id as "externalId", p.student_id as "studentId", s.full_name as "studentName", s.student_code as "studentCode",
  p.amount, p.currency, p.status, p.description, p.processor_payment_intent_id as "processorPaymentIntentId",
  p.due_date as "dueDate", p.paid_at as "paidAt", p.created_at as "createdAt", p.updated_at as "updatedAt"`
const withStudent = 'join tuned.students s on s.tenant_id = p.tenant_id and s.id = p.student_id'

/** Inserts a payment `p` and counts it. */
const inserted = `
  counted as (
    update tuned.payment_counts set count = count + 1 where tenant_id = $1
  ), p as (
    insert into tuned.payments (tenant_id, id, student_id, amount, currency, status, description, due_date, version,
                                created_at, updated_at)
    values ($1, $2, $3, $4, 'USD', 'pending', $5, $6, 1, now(), now())
    returning *
  )`

/** What the server sends for each kind of request. */
export const tunedStatements = {
  count: 'select count as total from tuned.payment_counts where tenant_id = $1',
  page: `select ${fields} from tuned.payments p ${withStudent} where p.tenant_id = $1 order by p.created_at, p.id limit 20`,
  one: `select ${fields} from tuned.payments p ${withStudent} where p.tenant_id = $1 and p.id = $2`,
  since: `
    with changed as materialized (
      select created_at, id from tuned.payments where tenant_id = $1 and updated_at >= $2
    ), page as materialized (
      select id from changed order by created_at, id limit 20
    )
    select (select count(*) from changed) as total, ${fields}
      from page join tuned.payments p on p.tenant_id = $1 and p.id = page.id ${withStudent}
     order by p.created_at, p.id`,
  create: `
    with ${inserted}
    select ${fields} from p ${withStudent}`,
  patch: `
    with p as (
      update tuned.payments set description = $3, version = version + 1, updated_at = now()
       where tenant_id = $1 and id = $2
      returning *
    )
    select ${fields} from p ${withStudent}`,
}

/** Keeps of a payment `p` its audit entry and its event. */
const told = (type: string, before: string) => `
  audited as (
    insert into tuned.audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, external_id, actor_type, actor_id,
                                     actor_name, before, after, request_id, address)
    select tenant_id, gen_random_uuid(), now(), '${type}', 'payment', id, external_id, 'api_key', tenant_id, 'bench', ${before},
           to_jsonb(p), gen_random_uuid(), '127.0.0.1'
      from p
  ), told as (
    insert into tuned.events (tenant_id, id, type, occurred_at, entity_type, entity_id, external_id, changed, actor_type, actor_id,
                              actor_name, request_id)
    select tenant_id, gen_random_uuid(), '${type}', now(), 'payment', id, external_id, '{description}', 'api_key', tenant_id, 'bench',
           gen_random_uuid()
      from p
  )`

/**
 * The same writes with an audit entry of the record before and after, an event and, for the create, the answer under its Idempotency-Key:
 * still one statement each.
 */
export const reportedStatements = {
  patch: `
    with old as (
      select * from tuned.payments where tenant_id = $1 and id = $2 for update
    ), p as (
      update tuned.payments p set description = $3, version = p.version + 1, updated_at = now() from old
       where p.tenant_id = $1 and p.id = old.id
      returning p.*
    ), ${told('payment.updated', '(select to_jsonb(old) from old)')}
    select ${fields} from p ${withStudent}`,
  create: `
    with ${inserted}, kept as (
      insert into tuned.idempotency_keys (tenant_id, api_key_id, key, operation, fingerprint, status, body, expires_at)
      select tenant_id, tenant_id, $7, 'createPayment', '\\x00', 201, row_to_json(p)::text, now() + interval '1 day' from p
    ), ${told('payment.created', 'null')}
    select ${fields} from p ${withStudent}`,
}
