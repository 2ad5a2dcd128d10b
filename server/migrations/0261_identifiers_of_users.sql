-- migration: concurrently
-- Finds who is identified so, or has the user name, in a bundle: two users never do.
create index concurrently if not exists roster_ids_identifier_idx on roster_ids (tenant_id, (members ->> 'identifier'))
  where kind = 'user' and members ? 'identifier';

create index concurrently if not exists roster_ids_username_idx on roster_ids (tenant_id, (members ->> 'username'))
  where kind = 'user' and members ? 'username';
