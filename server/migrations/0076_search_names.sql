-- What anybody finds a record by who may read it: its names and its code. Numbers and addresses are for those who read them.
alter table search_entries add column named text not null default '';

-- Its arguments are the kind of record and the columns that it is found by, of which those that name it are told by their names.
create or replace function note_search_entry() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare
      found_by text;
      named_by text;
      said jsonb;
    begin
      if tg_op = 'DELETE' then
        delete from search_entries e
         where e.tenant_id = old.tenant_id and e.kind = tg_argv[0] and e.record_id = old.id;
        return null;
      end if;
      said := to_jsonb(new);
      select string_agg(said ->> tg_argv[place], ' ' order by place),
             string_agg(said ->> tg_argv[place], ' ' order by place) filter (
               where tg_argv[place] in ('full_name', 'given_names', 'family_names', 'preferred_name', 'student_code', 'application_code',
                                        'display_name', 'code', 'employee_name', 'instructor_name', 'name', 'description', 'title'))
        into found_by, named_by
        from generate_series(1, tg_nargs - 1) place;
      found_by := search_words(left(found_by, 2000));
      named_by := search_words(left(coalesce(named_by, ''), 2000));
      insert into search_entries (tenant_id, kind, record_id, words, named)
      values (new.tenant_id, tg_argv[0], new.id, found_by, named_by)
      on conflict on constraint search_entries_pkey do update set words = excluded.words, named = excluded.named;
      return null;
    end
  $$;

-- As the one before: by names and codes alone where `by_name` says so.
create function search_records(tenant uuid, typed text, kinds text[], most integer, among uuid[], by_name boolean)
  returns table (kind text, record_id uuid, nearness real)
  language plpgsql stable security definer set search_path = pg_catalog, public set pg_trgm.word_similarity_threshold = 0.45
  as $$
    declare
      sought text := search_words(left(typed, 200));
      found_by text := case when by_name then 'named' else 'words' end;
      word text;
      begins text := '';
      alike text := '';
      ranked text := 'select e.kind, e.record_id, (similarity(e.%9$I, %1$L) + case when e.%9$I ~ %2$L then 0.5 else 0 end)::real
        from (select * from search_entries e where e.tenant_id = %3$L and e.kind = any (%4$L) %5$s %6$s limit %8$s) e
       order by 3 desc, 1, 2 limit %7$s';
      own text := case when among is null then '' else format('and e.record_id = any (%L)', among) end;
    begin
      if tenant is distinct from current_tenant_id() or sought ~ '^ *$' then
        return;
      end if;
      foreach word in array (string_to_array(trim(sought), ' '))[1:6] loop
        begins := begins || format(' and e.%I like %L', found_by, '% ' || word || '%');
        alike := alike || format(' and e.%I %%> %L', found_by, word);
      end loop;
      sought := trim(sought);
      return query execute format(ranked, sought, ' ' || sought || '( |$)', tenant, kinds, own, begins, most, 2000, found_by);
      if not found and length(sought) > 3 then
        return query execute format(ranked, sought, ' ' || sought || '( |$)', tenant, kinds, own, alike, most, 500, found_by);
      end if;
    end
  $$;
