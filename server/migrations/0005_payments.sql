create table payments (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  external_id text,
  student_id uuid not null,
  amount numeric not null constraint payments_amount_check check (amount > 0 and amount <= 1000000000000),
  currency text not null constraint payments_currency_check check (currency ~ '^[A-Z]{3}$'),
  status text not null
    constraint payments_status_check check (status in ('pending', 'paid', 'overdue', 'cancelled', 'refunded')),
  description text not null,
  processor_payment_intent_id text,
  due_date timestamptz(3) not null,
  paid_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint payments_pkey primary key (tenant_id, id),
  constraint payments_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id)
);
create unique index payments_external_id_key on payments (tenant_id, external_id) where external_id is not null;
create index payments_created_at_idx on payments (tenant_id, created_at, id);
create index payments_updated_at_idx on payments (tenant_id, updated_at, created_at, id);
create index payments_status_idx on payments (tenant_id, status, created_at, id);
create index payments_student_idx on payments (tenant_id, student_id, created_at, id);
create index payments_due_date_idx on payments (tenant_id, due_date);
