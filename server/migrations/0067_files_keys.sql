-- The keys of FILES_KEY, by their ids, under which files may be stored: a service that lacks one of them does not start.
create table files_keys (
  key_id text not null constraint files_keys_pkey primary key constraint files_keys_key_id_check check (key_id ~ '^[0-9a-f]{16}$'),
  noted_at timestamptz(3) not null default current_stamp()
);
