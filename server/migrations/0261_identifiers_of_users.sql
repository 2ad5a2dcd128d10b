-- migration: concurrently
-- Finds who is identified so in a bundle: two users never are.
create index concurrently if not exists roster_ids_identifier_idx on roster_ids (tenant_id, (members ->> 'identifier'))
  where kind = 'user' and members ? 'identifier';
