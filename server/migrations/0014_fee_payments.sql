-- The one payment of a submitted fee: what it asks for is the fee's, and paying it settles the fee.
alter table payments add column fee text;
alter table payments add constraint payments_fee_fkey foreign key (tenant_id, fee)
  references fees (tenant_id, name) deferrable;
create unique index payments_fee_key on payments (tenant_id, fee) where fee is not null;

-- How far the fees of a schedule are made, for whoever watches while one transaction makes them all.
create table fee_schedule_progress (
  tenant_id uuid not null,
  fee_schedule_id uuid not null,
  done integer not null,
  total integer not null,
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fee_schedule_progress_pkey primary key (tenant_id, fee_schedule_id),
  constraint fee_schedule_progress_schedule_fkey foreign key (tenant_id, fee_schedule_id)
    references fee_schedules (tenant_id, id) on delete cascade
);

create index gl_entries_voucher_idx on gl_entries (tenant_id, voucher_type, voucher_no);
create index gl_entries_against_voucher_idx on gl_entries (tenant_id, against_voucher_type, against_voucher);
create index fees_student_docstatus_idx on fees (tenant_id, student, docstatus);
