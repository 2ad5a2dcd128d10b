-- migration: in batches
update search_entries e set named = known.named
  from (
    select s.tenant_id, 'student' as kind, s.id,
           search_words(concat_ws(' ', s.full_name, s.given_names, s.family_names, s.preferred_name, s.student_code)) as named
      from students s
    union all
    select a.tenant_id, 'applicant', a.id, search_words(concat_ws(' ', a.full_name, a.given_names, a.family_names, a.application_code))
      from admission_applications a
    union all
    select c.tenant_id, 'guardian', c.id, search_words(concat_ws(' ', c.display_name, c.code)) from contacts c
    union all
    select m.tenant_id, 'employee', m.id, search_words(concat_ws(' ', m.employee_name, m.name)) from employees m
    union all
    select i.tenant_id, 'instructor', i.id, search_words(concat_ws(' ', i.instructor_name, i.name)) from instructors i
    union all
    select p.tenant_id, 'payment', p.id, search_words(left(p.description, 2000)) from payments p
    union all
    select d.tenant_id, 'document', d.id, search_words(left(d.title, 2000)) from documents d
  ) known
 where e.named = '' and known.named <> ''
   and known.tenant_id = e.tenant_id and known.kind = e.kind and known.id = e.record_id
   and (e.tenant_id, e.kind, e.record_id) in (
     select old.tenant_id, old.kind, old.record_id from search_entries old where old.named = '' limit 5000)
