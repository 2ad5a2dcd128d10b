-- Which installation this database is: stored files belong to one, and no other one removes them. Where may_claim, files that belong to
-- none become its own. The server and the database where the row was made tell it from a copy.
create table installations (
  is_only boolean not null default true
    constraint installations_pkey primary key constraint installations_is_only_check check (is_only),
  id uuid not null,
  may_claim boolean not null,
  server_identifier text,
  database_oid bigint not null,
  made_at timestamptz(3) not null default current_stamp()
);
