-- Whose invoices a guardian sees beside those of the children's own accounts and of the account with the guardian's address.
alter table contacts add column customer text;

create or replace view guardian_records with (security_invoker = true) as
select c.tenant_id, c.id, c.code as name, c.owner, c.modified_by, 0::smallint as docstatus,
       c.created_at, c.updated_at, c.version,
       c.display_name as guardian_name, c.email as email_address, c.phone as mobile_number, c.alternate_number,
       c.date_of_birth, c.user_name as "user", c.education, c.occupation, c.designation, c.work_address, c.image,
       c.custom_fields, c.customer
  from contacts c;
