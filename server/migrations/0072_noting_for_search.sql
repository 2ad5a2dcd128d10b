-- Notes what a record is found by without a query, which was planned anew for each row that was written.
create or replace function note_search_entry() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare
      said jsonb;
      found_by text;
    begin
      if tg_op = 'DELETE' then
        delete from search_entries e
         where e.tenant_id = old.tenant_id and e.kind = tg_argv[0] and e.record_id = old.id;
        return null;
      end if;
      said := to_jsonb(new);
      for place in 1 .. tg_nargs - 1 loop
        found_by := concat_ws(' ', found_by, said ->> tg_argv[place]);
      end loop;
      found_by := search_words(left(found_by, 2000));
      insert into search_entries (tenant_id, kind, record_id, words)
      values (new.tenant_id, tg_argv[0], new.id, found_by)
      on conflict on constraint search_entries_pkey do update set words = excluded.words;
      return null;
    end
  $$;
