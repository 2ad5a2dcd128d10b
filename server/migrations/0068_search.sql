-- What people and things are found by, of all kinds in one table, so that one look finds all of them. Kept by triggers, which write
-- only where the words change.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- A text as it is searched: without accents and punctuation, in lower case, a blank before each word. What has no accent that
-- Unicode takes apart (NFKD, Unicode Standard Annex 15) is named by itself.
create function search_words(said text) returns text language sql immutable parallel safe
  as $$
    select regexp_replace(
             ' ' || replace(replace(replace(translate(
               regexp_replace(normalize(lower(said collate "und-x-icu"), nfkd), '[\u0300-\u036f]', '', 'g'),
               'łøđðıħ', 'loddih'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
             '[\s\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf]+', ' ', 'g')
  $$;

create table search_entries (
  tenant_id uuid not null references tenants (id),
  kind text not null collate "C",
  record_id uuid not null,
  words text not null,
  constraint search_entries_pkey primary key (tenant_id, kind, record_id)
);
-- What is written waits in a list of its own, which each search reads: it is kept short.
create index search_entries_words_idx on search_entries using gin (tenant_id, words gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 256);

-- Its arguments are the kind of record and the columns that it is found by.
create function note_search_entry() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare
      found_by text;
      said jsonb;
    begin
      if tg_op = 'DELETE' then
        delete from search_entries e
         where e.tenant_id = old.tenant_id and e.kind = tg_argv[0] and e.record_id = old.id;
        return null;
      end if;
      said := to_jsonb(new);
      select string_agg(said ->> tg_argv[place], ' ' order by place) into found_by
        from generate_series(1, tg_nargs - 1) place;
      found_by := search_words(left(found_by, 2000));
      insert into search_entries (tenant_id, kind, record_id, words)
      values (new.tenant_id, tg_argv[0], new.id, found_by)
      on conflict on constraint search_entries_pkey do update set words = excluded.words;
      return null;
    end
  $$;

create trigger search_noted after insert or delete on students
  for each row execute function note_search_entry('student', 'full_name', 'given_names', 'family_names', 'preferred_name', 'student_code', 'email', 'phone', 'external_id', 'document_number');
create trigger search_changed after update on students
  for each row when ((old.full_name, old.given_names, old.family_names, old.preferred_name, old.student_code, old.email, old.phone, old.external_id, old.document_number)
    is distinct from (new.full_name, new.given_names, new.family_names, new.preferred_name, new.student_code, new.email, new.phone, new.external_id, new.document_number))
  execute function note_search_entry('student', 'full_name', 'given_names', 'family_names', 'preferred_name', 'student_code', 'email', 'phone', 'external_id', 'document_number');

create trigger search_noted after insert or delete on admission_applications
  for each row execute function note_search_entry('applicant', 'full_name', 'given_names', 'family_names', 'application_code', 'email', 'phone', 'external_id');
create trigger search_changed after update on admission_applications
  for each row when ((old.full_name, old.given_names, old.family_names, old.application_code, old.email, old.phone, old.external_id)
    is distinct from (new.full_name, new.given_names, new.family_names, new.application_code, new.email, new.phone, new.external_id))
  execute function note_search_entry('applicant', 'full_name', 'given_names', 'family_names', 'application_code', 'email', 'phone', 'external_id');

create trigger search_noted after insert or delete on contacts
  for each row execute function note_search_entry('guardian', 'display_name', 'code', 'email', 'phone');
create trigger search_changed after update on contacts
  for each row when ((old.display_name, old.code, old.email, old.phone) is distinct from (new.display_name, new.code, new.email, new.phone))
  execute function note_search_entry('guardian', 'display_name', 'code', 'email', 'phone');

create trigger search_noted after insert or delete on employees
  for each row execute function note_search_entry('employee', 'employee_name', 'name', 'user_id', 'company_email', 'cell_number');
create trigger search_changed after update on employees
  for each row when ((old.employee_name, old.name, old.user_id, old.company_email, old.cell_number)
    is distinct from (new.employee_name, new.name, new.user_id, new.company_email, new.cell_number))
  execute function note_search_entry('employee', 'employee_name', 'name', 'user_id', 'company_email', 'cell_number');

create trigger search_noted after insert or delete on instructors
  for each row execute function note_search_entry('instructor', 'instructor_name', 'name');
create trigger search_changed after update on instructors
  for each row when ((old.instructor_name, old.name) is distinct from (new.instructor_name, new.name))
  execute function note_search_entry('instructor', 'instructor_name', 'name');

create trigger search_noted after insert or delete on payments
  for each row execute function note_search_entry('payment', 'description', 'external_id', 'processor_payment_intent_id');
create trigger search_changed after update on payments
  for each row when ((old.description, old.external_id, old.processor_payment_intent_id)
    is distinct from (new.description, new.external_id, new.processor_payment_intent_id))
  execute function note_search_entry('payment', 'description', 'external_id', 'processor_payment_intent_id');

create trigger search_noted after insert or delete on documents
  for each row execute function note_search_entry('document', 'title', 'external_id');
create trigger search_changed after update on documents
  for each row when ((old.title, old.external_id) is distinct from (new.title, new.external_id))
  execute function note_search_entry('document', 'title', 'external_id');

-- What is found by words that were typed, the nearest first. Each word begins one of the record's, in any order; where nothing is
-- found so, words that are spelt alike will do. Of what very many records have, some are compared. `among` limits it to these records. Row-level security would keep the index from being
-- used, because comparing trigrams may tell of what is compared: it runs as the owner, for the session's own tenant alone.
create function search_records(tenant uuid, typed text, kinds text[], most integer, among uuid[])
  returns table (kind text, record_id uuid, nearness real)
  language plpgsql stable security definer set search_path = pg_catalog, public set pg_trgm.word_similarity_threshold = 0.45
  as $$
    declare
      sought text := search_words(left(typed, 200));
      word text;
      begins text := '';
      alike text := '';
      ranked text := 'select e.kind, e.record_id, (similarity(e.words, %1$L) + case when e.words ~ %2$L then 0.5 else 0 end)::real
        from (select * from search_entries e where e.tenant_id = %3$L and e.kind = any (%4$L) %5$s %6$s limit %8$s) e
       order by 3 desc, 1, 2 limit %7$s';
      own text := case when among is null then '' else format('and e.record_id = any (%L)', among) end;
    begin
      if tenant is distinct from current_tenant_id() or sought ~ '^ *$' then
        return;
      end if;
      foreach word in array (string_to_array(trim(sought), ' '))[1:6] loop
        begins := begins || format(' and e.words like %L', '% ' || word || '%');
        alike := alike || format(' and e.words %%> %L', word);
      end loop;
      sought := trim(sought);
      return query execute format(ranked, sought, ' ' || sought || '( |$)', tenant, kinds, own, begins, most, 2000);
      if not found and length(sought) > 3 then
        return query execute format(ranked, sought, ' ' || sought || '( |$)', tenant, kinds, own, alike, most, 500);
      end if;
    end
  $$;
