alter table bulk_jobs validate constraint bulk_jobs_action_check;
