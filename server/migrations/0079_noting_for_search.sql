-- Notes what a record is found by without a query of its own, which was planned anew for each row that was written.
create or replace function note_search_entry() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare
      said jsonb;
      found_by text;
      named_by text;
    begin
      if tg_op = 'DELETE' then
        delete from search_entries e
         where e.tenant_id = old.tenant_id and e.kind = tg_argv[0] and e.record_id = old.id;
        return null;
      end if;
      said := to_jsonb(new);
      for place in 1 .. tg_nargs - 1 loop
        found_by := concat_ws(' ', found_by, said ->> tg_argv[place]);
        if tg_argv[place] in ('full_name', 'given_names', 'family_names', 'preferred_name', 'student_code', 'application_code',
                              'display_name', 'code', 'employee_name', 'instructor_name', 'name', 'description', 'title') then
          named_by := concat_ws(' ', named_by, said ->> tg_argv[place]);
        end if;
      end loop;
      found_by := search_words(left(coalesce(found_by, ''), 2000));
      named_by := search_words(left(coalesce(named_by, ''), 2000));
      insert into search_entries (tenant_id, kind, record_id, words, named)
      values (new.tenant_id, tg_argv[0], new.id, found_by, named_by)
      on conflict on constraint search_entries_pkey do update set words = excluded.words, named = excluded.named;
      return null;
    end
  $$;
