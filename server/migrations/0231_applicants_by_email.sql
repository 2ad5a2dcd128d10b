-- The e-mail address of an applicant is unique in any case on the Resource API.
create index admission_applications_email_any_case_idx on admission_applications (tenant_id, email collate any_case) where email is not null;
