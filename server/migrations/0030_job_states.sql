-- How the jobs of the deployment fare: written at the end of each run by whoever ran it, told by metrics and doctor.
create table job_states (
  job text not null constraint job_states_pkey primary key,
  ended_at timestamptz(3) not null,
  -- The end of the last run in which nothing failed.
  succeeded_at timestamptz(3),
  -- The end of the first run that failed since then, and how many did.
  failing_since timestamptz(3),
  failed_runs integer not null default 0,
  -- For how many tenants the last run failed, and of some of them: the tenant's id, since when, and the code of the failure.
  failing_tenants integer not null default 0,
  failing jsonb not null default '[]'
) with (fillfactor = 50);
