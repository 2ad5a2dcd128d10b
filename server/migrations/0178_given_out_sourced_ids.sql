-- An institution may choose externalIds as sourcedIds at any time; what was given out before keeps its sourcedId.

-- The OneRoster classes (user, course) of which readers have seen sourcedIds.
alter table roster_settings add column given_out text[] not null default '{}';

-- What was given out stays when the externalId changes: the externalId, or the id where there was none that can be a sourcedId.
create or replace function retain_sourced_id() returns trigger language plpgsql
  as $$
    declare
      pattern constant text := '^[0-9A-Za-z./@_-]{1,255}$';
    begin
      insert into roster_ids (tenant_id, kind, id, sourced_id)
      select old.tenant_id, tg_argv[0], old.id, case when old.external_id ~ pattern then old.external_id else old.id::text end
        from roster_settings s
       where s.tenant_id = old.tenant_id and s.sourced_ids = 'externalId'
         and (old.external_id ~ pattern or tg_argv[0] = any (s.given_out))
      on conflict do nothing;
      return null;
    end
  $$;
