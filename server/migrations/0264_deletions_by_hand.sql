-- What is deleted by hand at a node of a cluster is recorded too: an insert into a distributed table takes a value, and no query.
create or replace function record_roster_deletion() returns trigger language plpgsql
  as $$
    declare
      shown jsonb;
    begin
      select coalesce(jsonb_object_agg(key, value), '{}') into shown from jsonb_each(to_jsonb(old)) where key = any (tg_argv);
      insert into roster_deletions (tenant_id, kind, id, record)
      values (old.tenant_id, regexp_replace(tg_table_name, '_\d+$', ''), old.id, shown)
      on conflict (tenant_id, kind, id)
      do update set deleted_at = excluded.deleted_at, record = excluded.record;
      return null;
    end
  $$;
