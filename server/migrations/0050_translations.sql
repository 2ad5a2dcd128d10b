-- The language in which the institution writes its own texts, and these texts in others: by name of the text, then by language.
alter table tenants add column language text not null default 'en';
alter table document_types add column translations jsonb not null default '{}';
alter table requirements add column translations jsonb not null default '{}';
alter table form_templates add column translations jsonb not null default '{}';
-- Those of sections and questions, by their keys.
alter table form_template_versions add column translations jsonb not null default '{}';
-- As they were when it was asked for.
alter table document_requests add column translations jsonb not null default '{}';
alter table document_request_items add column translations jsonb not null default '{}';
