-- As before. What was noted of a record is looked up by its kind, and not by each of them; and payments and documents have no names
-- of their own: whoever finds them finds them by all that they are known by, so that each of their words was in two indexes. Tables of
-- which nothing waits are not read, nor planned for.
create or replace function take_waiting_for_search(tenant uuid, most integer) returns integer
  language plpgsql volatile security definer set search_path = pg_catalog, public set enable_seqscan = off
  as $$
    declare
      kinds text[];
      wanted text[];
      records uuid[];
      taken uuid[];
      changed uuid[];
    begin
      if tenant is distinct from current_tenant_id() then
        return 0;
      end if;
      perform pg_advisory_xact_lock(hashtextextended('search of ' || tenant, 0));
      select array_agg(w.kind), array_agg(w.record_id), array_agg(w.id), array_agg(distinct w.record_id)
        into kinds, records, taken, changed
        from (select near.kind, near.record_id, near.id, dense_rank() over (order by near.record_id) as place
                from (select kind, record_id, id from search_waiting where tenant_id = tenant
                       order by record_id, id limit most * 20) near) w
       where w.place <= most;
      if taken is null then
        return 0;
      end if;
      wanted := array(select distinct kind from unnest(kinds) as noted (kind));
      delete from search_entries e
       using (select distinct kind, record_id from unnest(kinds, records) as noted (kind, record_id)) noted
       where e.tenant_id = tenant and e.kind = noted.kind and e.record_id = noted.record_id;
      insert into search_entries (tenant_id, kind, record_id, words, named)
      select tenant, said.kind, said.id, search_words(left(said.named_by || ' ' || said.found_by, 2000)), search_words(left(said.named_by, 2000))
        from (
          select 'student' as kind, s.id,
                 concat_ws(' ', s.full_name, s.given_names, s.family_names, s.preferred_name, s.student_code) as named_by,
                 concat_ws(' ', s.email, s.phone, s.external_id, s.document_number) as found_by
            from students s where s.tenant_id = tenant and s.id = any (changed) and 'student' = any (wanted)
          union all
          select 'applicant', a.id, concat_ws(' ', a.full_name, a.given_names, a.family_names, a.application_code),
                 concat_ws(' ', a.email, a.phone, a.external_id)
            from admission_applications a where a.tenant_id = tenant and a.id = any (changed) and 'applicant' = any (wanted)
          union all
          select 'guardian', c.id, concat_ws(' ', c.display_name, c.code), concat_ws(' ', c.email, c.phone)
            from contacts c where c.tenant_id = tenant and c.id = any (changed) and 'guardian' = any (wanted)
          union all
          select 'employee', m.id, concat_ws(' ', m.employee_name, m.name),
                 concat_ws(' ', m.user_id, m.company_email, m.cell_number)
            from employees m where m.tenant_id = tenant and m.id = any (changed) and 'employee' = any (wanted)
          union all
          select 'instructor', i.id, concat_ws(' ', i.instructor_name, i.name), ''
            from instructors i where i.tenant_id = tenant and i.id = any (changed) and 'instructor' = any (wanted)
          union all
          select 'payment', p.id, '', concat_ws(' ', p.description, p.external_id, p.processor_payment_intent_id)
            from payments p where p.tenant_id = tenant and p.id = any (changed) and 'payment' = any (wanted)
          union all
          select 'document', d.id, '', concat_ws(' ', d.title, d.external_id)
            from documents d where d.tenant_id = tenant and d.id = any (changed) and 'document' = any (wanted)
        ) said;
      delete from search_waiting w using unnest(records, taken) as t (record_id, id)
       where w.tenant_id = tenant and w.record_id = t.record_id and w.id = t.id;
      return cardinality(taken);
    end
  $$;
