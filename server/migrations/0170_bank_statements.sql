-- Files of bank statements and their lines. A line that several files have is one row, listed by each of them.
create table bank_statements (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  -- SHA-256 of the bytes and, where the file does not say it, of the account: the same file is imported once.
  file_sha256 text not null,
  format text not null,
  account text not null,
  currency text not null,
  number text,
  from_day date,
  to_day date,
  opening_balance numeric,
  closing_balance numeric,
  lines_total integer not null,
  lines_new integer not null,
  -- Gaps between the statements of the file.
  gaps jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint bank_statements_pkey primary key (tenant_id, id),
  constraint bank_statements_file_key unique (tenant_id, file_sha256)
);
create index bank_statements_created_at_idx on bank_statements (tenant_id, created_at, id);
create index bank_statements_updated_at_idx on bank_statements (tenant_id, updated_at, created_at, id);
create index bank_statements_account_idx on bank_statements (tenant_id, account, to_day);

create table bank_statement_lines (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  account text not null,
  format text not null,
  booked_on date not null,
  value_on date,
  amount numeric not null,
  currency text not null,
  bank_reference text,
  end_to_end_id text,
  reference text,
  name text,
  iban text,
  text text,
  return_reason text,
  details jsonb not null default '[]',
  -- SHA-256 of account, days, amount and text; equal ones are told apart by their ordinal.
  content_sha256 text not null,
  ordinal integer not null,
  status text not null constraint bank_statement_lines_status_check check (status in ('open', 'booked', 'ignored')),
  -- The receipts that it posted; of a returned debit those that it reversed.
  receipt_ids uuid[] not null default '{}',
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint bank_statement_lines_pkey primary key (tenant_id, id),
  constraint bank_statement_lines_content_key unique (tenant_id, content_sha256, ordinal)
);
create index bank_statement_lines_reference_idx on bank_statement_lines (tenant_id, account, bank_reference)
  where bank_reference is not null;
create index bank_statement_lines_end_to_end_idx on bank_statement_lines (tenant_id, end_to_end_id)
  where end_to_end_id is not null;

create table bank_statement_entries (
  tenant_id uuid not null,
  statement_id uuid not null,
  position integer not null,
  line_id uuid not null,
  constraint bank_statement_entries_pkey primary key (tenant_id, statement_id, position),
  constraint bank_statement_entries_statement_fkey foreign key (tenant_id, statement_id)
    references bank_statements (tenant_id, id),
  constraint bank_statement_entries_line_fkey foreign key (tenant_id, line_id)
    references bank_statement_lines (tenant_id, id)
);
create index bank_statement_entries_line_idx on bank_statement_entries (tenant_id, line_id);
