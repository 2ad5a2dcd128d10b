create table payment_terms_templates (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint payment_terms_templates_docstatus_check check (docstatus in (0, 1, 2)),
  template_name text,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint payment_terms_templates_pkey primary key (tenant_id, id),
  constraint payment_terms_templates_name_key unique (tenant_id, name)
);
create unique index payment_terms_templates_any_case_key on payment_terms_templates (tenant_id, name collate any_case);
create index payment_terms_templates_created_at_idx on payment_terms_templates (tenant_id, created_at, id);
create index payment_terms_templates_updated_at_idx on payment_terms_templates (tenant_id, updated_at, id);
create table payment_terms_templates_terms (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  description text,
  invoice_portion numeric,
  due_date_based_on text,
  credit_days integer not null default 0,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint payment_terms_templates_terms_pkey primary key (tenant_id, id),
  constraint payment_terms_templates_terms_parent_fkey foreign key (tenant_id, parent_id) references payment_terms_templates (tenant_id, id) on delete cascade
);
create index payment_terms_templates_terms_parent_idx on payment_terms_templates_terms (tenant_id, parent_id, idx);
create unique index payment_terms_templates_terms_name_key on payment_terms_templates_terms (tenant_id, name);
