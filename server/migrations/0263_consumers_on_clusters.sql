-- Whose each consumer of OAuth 1.0a is, kept as `api_key_hashes` is: a table of no tenant that every node of a cluster has, because the
-- node is found by it.
create table oauth_consumer_keys (
  api_key_id uuid not null,
  secret_id uuid not null,
  of_tenant uuid not null,
  constraint oauth_consumer_keys_pkey primary key (api_key_id, secret_id)
);

-- The service's role does not see them, so this runs as the owner.
create function note_oauth_consumer_key() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    begin
      if tg_op = 'DELETE' then
        delete from oauth_consumer_keys where api_key_id = old.api_key_id and secret_id = old.id;
      else
        insert into oauth_consumer_keys (api_key_id, secret_id, of_tenant) values (new.api_key_id, new.id, new.tenant_id);
      end if;
      return null;
    end
  $$;
create trigger oauth_consumer_keys_noted after insert or delete on oauth_consumer_secrets
  for each row execute function note_oauth_consumer_key();
insert into oauth_consumer_keys (api_key_id, secret_id, of_tenant) select api_key_id, id, tenant_id from oauth_consumer_secrets;

create or replace function tenant_of_oauth_consumer(consumer uuid) returns uuid
  language plpgsql stable security definer set search_path = pg_catalog, public
  as $$
    declare
      found_tenant uuid;
    begin
      select k.of_tenant into found_tenant from oauth_consumer_keys k where k.api_key_id = consumer limit 1;
      return found_tenant;
    end
  $$;
