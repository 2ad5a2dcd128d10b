-- The audit as it is read: by record, by key in the integrator's system, by whoever did it, and from the newest on. Entries are
-- ordered by their ids, which grow with time. docs/adr/0027-audit.md says why.

-- What was done with no record, such as a log-in of somebody who does not exist, names none.
alter table audit_entries alter column entity_id drop not null;

-- The key that the record had in the integrator's system, where it had one.
alter table audit_entries add column external_id text;

create index audit_entries_record_idx on audit_entries (tenant_id, entity_id, id) where entity_id is not null;
create index audit_entries_external_id_idx on audit_entries (tenant_id, external_id, id) where external_id is not null;
create index audit_entries_actor_idx on audit_entries (tenant_id, actor_id, id) where actor_id is not null;
drop index audit_entries_entity_idx;

-- Where each key was used from, so that a new place is noticed. Of IPv6 it is the network that counts.
create table api_key_addresses (
  tenant_id uuid not null,
  api_key_id uuid not null,
  address text not null,
  first_used_at timestamptz(3) not null default current_stamp(),
  constraint api_key_addresses_pkey primary key (tenant_id, api_key_id, address),
  constraint api_key_addresses_api_key_fkey foreign key (tenant_id, api_key_id) references api_keys (tenant_id, id)
);

-- Entries are added and read, never changed or removed, by whatever way the role came to more rights.
do $$ begin
  if exists (select from pg_roles where rolname = 'matricula_service') then
    revoke update, delete, truncate on audit_entries from matricula_service;
  end if;
end $$;
