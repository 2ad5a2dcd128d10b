-- People are found by e-mail in any case. Under row-level security an index of lower(email) was never used, see 0027.
drop index contacts_email_idx;
create index contacts_email_any_case_idx on contacts (tenant_id, email collate any_case) where email is not null;
drop index students_email_idx;
create index students_email_any_case_idx on students (tenant_id, email collate any_case) where email is not null;
