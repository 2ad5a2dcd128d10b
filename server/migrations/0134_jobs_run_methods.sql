-- A bulk job may run a method of a record.
alter table bulk_jobs drop constraint bulk_jobs_action_check;
alter table bulk_jobs add constraint bulk_jobs_action_check
  check (action in ('update', 'submit', 'cancel', 'delete', 'undo', 'ask', 'run')) not valid;
