-- Mails that bring the link to set a first password, and whether students who are made get one.
alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check
  check (kind in ('document_request', 'password_reset', 'welcome'));
alter table education_settings add column welcome_new_students smallint not null default 0;
