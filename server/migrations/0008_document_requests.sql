-- Documents that somebody is asked for, who hands them in on a page of its own.
create table document_requests (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  external_id text,
  student_id uuid,
  application_id uuid,
  title text not null,
  message text not null default '',
  recipient_contact_id uuid,
  recipient_name text not null default '',
  recipient_email text,
  recipient_phone text,
  locale text constraint document_requests_locale_check check (locale in ('en', 'es', 'pt')),
  -- One that waits for documents reads as expired from its very moment; a job then stores it.
  status text not null
    constraint document_requests_status_check
    check (status in ('open', 'partially_completed', 'completed', 'expired', 'revoked')),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  revoked_reason text,
  completed_at timestamptz(3),
  first_viewed_at timestamptz(3),
  last_viewed_at timestamptz(3),
  submitted_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint document_requests_pkey primary key (tenant_id, id),
  constraint document_requests_owner_check check (num_nonnulls(student_id, application_id) = 1),
  constraint document_requests_revoked_check check ((status = 'revoked') = (revoked_at is not null)),
  constraint document_requests_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id),
  constraint document_requests_application_fkey foreign key (tenant_id, application_id)
    references admission_applications (tenant_id, id),
  constraint document_requests_contact_fkey foreign key (tenant_id, recipient_contact_id)
    references contacts (tenant_id, id)
);
create unique index document_requests_external_id_key
  on document_requests (tenant_id, external_id) where external_id is not null;
create index document_requests_created_at_idx on document_requests (tenant_id, created_at, id);
create index document_requests_updated_at_idx on document_requests (tenant_id, updated_at, created_at, id);
create index document_requests_status_idx on document_requests (tenant_id, status, created_at, id);
create index document_requests_student_idx
  on document_requests (tenant_id, student_id, created_at, id) where student_id is not null;
create index document_requests_application_idx
  on document_requests (tenant_id, application_id, created_at, id) where application_id is not null;
create index document_requests_expiry_idx
  on document_requests (tenant_id, expires_at) where status in ('open', 'partially_completed');

create table document_request_items (
  tenant_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  document_type_id uuid not null,
  requirement_id uuid,
  label text not null,
  instructions text not null default '',
  is_required boolean not null default true,
  -- Follows the document.
  status text not null default 'pending'
    constraint document_request_items_status_check check (status in ('pending', 'uploaded', 'accepted', 'rejected')),
  rejection_reason text,
  document_id uuid,
  position integer not null,
  constraint document_request_items_pkey primary key (tenant_id, id),
  constraint document_request_items_position_key unique (tenant_id, request_id, position),
  constraint document_request_items_request_fkey foreign key (tenant_id, request_id)
    references document_requests (tenant_id, id),
  constraint document_request_items_type_fkey foreign key (tenant_id, document_type_id)
    references document_types (tenant_id, id),
  constraint document_request_items_requirement_fkey foreign key (tenant_id, requirement_id)
    references requirements (tenant_id, id),
  constraint document_request_items_document_fkey foreign key (tenant_id, document_id)
    references documents (tenant_id, id)
);
create unique index document_request_items_document_key
  on document_request_items (tenant_id, document_id) where document_id is not null;
create index document_request_items_requirement_idx
  on document_request_items (tenant_id, requirement_id) where requirement_id is not null;

alter table documents add constraint documents_request_fkey foreign key (tenant_id, request_id)
  references document_requests (tenant_id, id);

-- Whoever opens the link of a request acts in its name.
alter table audit_entries drop constraint audit_entries_actor_type_check,
  add constraint audit_entries_actor_type_check
    check (actor_type in ('api_key', 'user', 'operator', 'system', 'link'));

-- Mails that are to be sent, written in the transaction of what they tell of. What they say, links above all, is made when
-- they are sent.
create table outgoing_mails (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  kind text not null constraint outgoing_mails_kind_check check (kind in ('document_request')),
  entity_id uuid not null,
  recipient text not null,
  locale text not null constraint outgoing_mails_locale_check check (locale in ('en', 'es', 'pt')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default current_stamp(),
  sent_at timestamptz(3),
  -- When it was given up.
  failed_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null default current_stamp(),
  constraint outgoing_mails_pkey primary key (tenant_id, id)
);
create index outgoing_mails_due_idx
  on outgoing_mails (tenant_id, next_attempt_at) where sent_at is null and failed_at is null;
create index outgoing_mails_entity_idx on outgoing_mails (tenant_id, entity_id);
