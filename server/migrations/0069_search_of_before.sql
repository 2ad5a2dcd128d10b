-- migration: in batches
insert into search_entries (tenant_id, kind, record_id, words)
select tenant_id, kind, id, search_words(left(said, 2000))
  from (
    select s.tenant_id, 'student' as kind, s.id,
           concat_ws(' ', s.full_name, s.given_names, s.family_names, s.preferred_name, s.student_code, s.email, s.phone, s.external_id, s.document_number) as said
      from students s
    union all
    select a.tenant_id, 'applicant', a.id,
           concat_ws(' ', a.full_name, a.given_names, a.family_names, a.application_code, a.email, a.phone, a.external_id)
      from admission_applications a
    union all
    select c.tenant_id, 'guardian', c.id, concat_ws(' ', c.display_name, c.code, c.email, c.phone) from contacts c
    union all
    select m.tenant_id, 'employee', m.id, concat_ws(' ', m.employee_name, m.name, m.user_id, m.company_email, m.cell_number)
      from employees m
    union all
    select i.tenant_id, 'instructor', i.id, concat_ws(' ', i.instructor_name, i.name) from instructors i
    union all
    select p.tenant_id, 'payment', p.id, concat_ws(' ', p.description, p.external_id, p.processor_payment_intent_id) from payments p
    union all
    select d.tenant_id, 'document', d.id, concat_ws(' ', d.title, d.external_id) from documents d
  ) known
 where not exists (select from search_entries e
                    where e.tenant_id = known.tenant_id and e.kind = known.kind and e.record_id = known.id)
 limit 5000
on conflict on constraint search_entries_pkey do nothing
