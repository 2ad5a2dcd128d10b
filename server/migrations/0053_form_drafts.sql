-- What somebody filled in of a form and has not sent. It is nobody's record: whoever has its link reads and sends it, until its time is
-- over.
create table form_drafts (
  tenant_id uuid not null references tenants (id),
  -- The key of one opening of the page, under which it is sent as well.
  id uuid not null,
  template_id uuid not null,
  -- Whose own link was opened; null for nobody's.
  student_id uuid,
  -- What was typed and chosen, as texts, by the keys of the questions.
  answers jsonb not null,
  created_at timestamptz(3) not null default current_stamp(),
  expires_at timestamptz(3) not null,
  constraint form_drafts_pkey primary key (tenant_id, id),
  constraint form_drafts_template_fkey foreign key (tenant_id, template_id)
    references form_templates (tenant_id, id) on delete cascade,
  constraint form_drafts_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id) on delete cascade
);
create index form_drafts_template_idx on form_drafts (tenant_id, template_id);
create index form_drafts_student_idx on form_drafts (tenant_id, student_id) where student_id is not null;
create index form_drafts_expiry_idx on form_drafts (tenant_id, expires_at);

create table form_draft_files (
  tenant_id uuid not null,
  draft_id uuid not null,
  document_id uuid not null,
  field_key text not null,
  constraint form_draft_files_pkey primary key (tenant_id, draft_id, document_id),
  constraint form_draft_files_draft_fkey foreign key (tenant_id, draft_id)
    references form_drafts (tenant_id, id) on delete cascade,
  constraint form_draft_files_document_fkey foreign key (tenant_id, document_id) references documents (tenant_id, id)
);
create index form_draft_files_document_idx on form_draft_files (tenant_id, document_id);
