-- Takes over what waits of so many records at most, and not so many changes: of a record that was changed often since, all that is near is
-- taken with its last change, so that a record which changes every second is noted once for many of its changes. Answers how many
-- changes it took, which are fewer than the records that it may take only where nothing is left. Otherwise as before: it looks after
-- it has the lock, and reads each record as of its last change that it takes away.
create or replace function take_waiting_for_search(tenant uuid, most integer) returns integer
  language plpgsql volatile security definer set search_path = pg_catalog, public set enable_seqscan = off
  as $$
    declare
      taken uuid[];
      changed uuid[];
    begin
      if tenant is distinct from current_tenant_id() then
        return 0;
      end if;
      perform pg_advisory_xact_lock(hashtextextended('search of ' || tenant, 0));
      select array_agg(w.id), array_agg(distinct w.record_id) into taken, changed
        from (select near.id, near.record_id, dense_rank() over (order by near.record_id) as place
                from (select id, record_id from search_waiting where tenant_id = tenant limit most * 20) near) w
       where w.place <= most;
      if taken is null then
        return 0;
      end if;
      delete from search_entries e
       where e.tenant_id = tenant and e.record_id = any (changed)
         -- The key begins with the kind.
         and e.kind in ('student', 'applicant', 'guardian', 'employee', 'instructor', 'payment', 'document');
      insert into search_entries (tenant_id, kind, record_id, words, named)
      select tenant, said.kind, said.id, search_words(left(said.named_by || ' ' || said.found_by, 2000)), search_words(left(said.named_by, 2000))
        from (
          select 'student' as kind, s.id,
                 concat_ws(' ', s.full_name, s.given_names, s.family_names, s.preferred_name, s.student_code) as named_by,
                 concat_ws(' ', s.email, s.phone, s.external_id, s.document_number) as found_by
            from students s where s.tenant_id = tenant and s.id = any (changed)
          union all
          select 'applicant', a.id, concat_ws(' ', a.full_name, a.given_names, a.family_names, a.application_code),
                 concat_ws(' ', a.email, a.phone, a.external_id)
            from admission_applications a where a.tenant_id = tenant and a.id = any (changed)
          union all
          select 'guardian', c.id, concat_ws(' ', c.display_name, c.code), concat_ws(' ', c.email, c.phone)
            from contacts c where c.tenant_id = tenant and c.id = any (changed)
          union all
          select 'employee', m.id, concat_ws(' ', m.employee_name, m.name),
                 concat_ws(' ', m.user_id, m.company_email, m.cell_number)
            from employees m where m.tenant_id = tenant and m.id = any (changed)
          union all
          select 'instructor', i.id, concat_ws(' ', i.instructor_name, i.name), ''
            from instructors i where i.tenant_id = tenant and i.id = any (changed)
          union all
          select 'payment', p.id, concat_ws(' ', p.description), concat_ws(' ', p.external_id, p.processor_payment_intent_id)
            from payments p where p.tenant_id = tenant and p.id = any (changed)
          union all
          select 'document', d.id, concat_ws(' ', d.title), concat_ws(' ', d.external_id)
            from documents d where d.tenant_id = tenant and d.id = any (changed)
        ) said;
      delete from search_waiting w where w.tenant_id = tenant and w.id = any (taken);
      return cardinality(taken);
    end
  $$;
