-- What an update sets is computed first, because no node may compute it otherwise than another one.
create or replace function note_custom_fields() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare
      tenant uuid := coalesce(new.tenant_id, old.tenant_id);
      noted timestamptz;
    begin
      if exists (select from custom_fields f where f.tenant_id = tenant)
         or exists (select from removed_custom_fields f where f.tenant_id = tenant) then
        select greatest(current_stamp(), t.custom_fields_at + interval '1 millisecond') into noted
          from tenants t where t.id = tenant for no key update;
      end if;
      update tenants t set custom_fields_at = noted where t.id = tenant;
      return null;
    end
  $$;
