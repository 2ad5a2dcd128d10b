-- What waits of a record lies together, so that all its changes are taken over as one, however many others wait: by a key that is random
-- a batch found few of them, and read twenty times as many as it took.
-- reviewed: what waits is little, of the last quarter of a minute
alter table search_waiting drop constraint search_waiting_pkey;
-- reviewed: as above
alter table search_waiting add constraint search_waiting_pkey primary key (tenant_id, record_id, id);

-- As before, in the order of the key: of so many records at most all changes that are near are taken with the last one.
create or replace function take_waiting_for_search(tenant uuid, most integer) returns integer
  language plpgsql volatile security definer set search_path = pg_catalog, public set enable_seqscan = off
  as $$
    declare
      records uuid[];
      taken uuid[];
      changed uuid[];
    begin
      if tenant is distinct from current_tenant_id() then
        return 0;
      end if;
      perform pg_advisory_xact_lock(hashtextextended('search of ' || tenant, 0));
      select array_agg(w.record_id), array_agg(w.id), array_agg(distinct w.record_id) into records, taken, changed
        from (select near.record_id, near.id, dense_rank() over (order by near.record_id) as place
                from (select record_id, id from search_waiting where tenant_id = tenant
                       order by record_id, id limit most * 20) near) w
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
      delete from search_waiting w using unnest(records, taken) as t (record_id, id)
       where w.tenant_id = tenant and w.record_id = t.record_id and w.id = t.id;
      return cardinality(taken);
    end
  $$;
