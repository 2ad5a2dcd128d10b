-- How backups of everything fare: written at the end of each by whoever made it, told by metrics and doctor.
create table backup_state (
  -- There is one row.
  is_one boolean not null default true constraint backup_state_pkey primary key constraint backup_state_one_check check (is_one),
  -- The end of the last one, made or not.
  tried_at timestamptz(3) not null,
  -- The end of the last one that was made, how long it took, and how large it is.
  succeeded_at timestamptz(3),
  seconds double precision,
  bytes bigint,
  -- How many files that records name it could not take along.
  missing_files integer,
  -- The end of the first scheduled one that failed since then, how many did, and of what the last one failed.
  failing_since timestamptz(3),
  failed_runs integer not null default 0,
  failure text
);
