/**
 * The writes of the hand-tuned server with an audit entry of the record before and after, an event and, for the create, the answer under its
 * Idempotency-Key: one statement each.
 *
 * @param fields The columns of an answer, of a payment `p` and its student `s`.
 * @param withStudent Joins the student.
 */
export function toldStatements(fields: string, withStudent: string) {
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
  return {
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
      with counted as (
        update tuned.payment_counts set count = count + 1 where tenant_id = $1
      ), p as (
        insert into tuned.payments (tenant_id, id, student_id, amount, currency, status, description, due_date, version,
                                    created_at, updated_at)
        values ($1, $2, $3, $4, 'USD', 'pending', $5, $6, 1, now(), now())
        returning *
      ), kept as (
        insert into tuned.idempotency_keys (tenant_id, api_key_id, key, operation, fingerprint, status, body, expires_at)
        select tenant_id, tenant_id, $7, 'createPayment', '\\x00', 201, row_to_json(p)::text, now() + interval '1 day' from p
      ), ${told('payment.created', 'null')}
      select ${fields} from p ${withStudent}`,
  }
}
