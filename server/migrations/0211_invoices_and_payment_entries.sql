-- What clients of Frappe write of invoices and of money that came in, beside the obligations and receipts that follow from it: drafts,
-- and of an invoice its items. docs/adr/0063-invoices-of-frappe-clients.md says why.
create table sales_invoices (
  tenant_id uuid not null references tenants (id),
  -- The id of the first payment of the invoice, once it is submitted.
  id uuid not null,
  name text not null,
  owner text not null,
  modified_by text not null,
  docstatus smallint not null constraint sales_invoices_docstatus_check check (docstatus in (0, 1)),
  account_id uuid not null,
  student_id uuid not null,
  fields jsonb not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint sales_invoices_pkey primary key (tenant_id, id),
  constraint sales_invoices_name_key unique (tenant_id, name),
  constraint sales_invoices_account_fkey foreign key (tenant_id, account_id) references billing_accounts (tenant_id, id),
  constraint sales_invoices_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id)
);
create index sales_invoices_account_idx on sales_invoices (tenant_id, account_id);
create index sales_invoices_student_idx on sales_invoices (tenant_id, student_id);
create unique index sales_invoices_any_case_key on sales_invoices (tenant_id, name collate any_case);
create table payment_entries (
  tenant_id uuid not null references tenants (id),
  -- The id of the receipt, once it is submitted.
  id uuid not null,
  name text not null,
  owner text not null,
  modified_by text not null,
  docstatus smallint not null constraint payment_entries_docstatus_check check (docstatus in (0, 1)),
  account_id uuid not null,
  fields jsonb not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint payment_entries_pkey primary key (tenant_id, id),
  constraint payment_entries_name_key unique (tenant_id, name),
  constraint payment_entries_account_fkey foreign key (tenant_id, account_id) references billing_accounts (tenant_id, id)
);
create index payment_entries_account_idx on payment_entries (tenant_id, account_id);
create unique index payment_entries_any_case_key on payment_entries (tenant_id, name collate any_case);

create view customer_records with (security_invoker = true) as
select a.tenant_id, a.id, a.account_number as name, 'Administrator' as owner, 'Administrator' as modified_by,
       0::smallint as docstatus, a.created_at, a.updated_at, a.version,
       coalesce(a.name, s.full_name) as customer_name,
       case when a.kind in ('company', 'sponsor') then 'Company' else 'Individual' end as customer_type,
       initcap(a.kind) as customer_group, null::text as territory, s.student_code as student,
       a.currency as default_currency, a.language, a.email as email_id, a.phone as mobile_no, a.tax_id,
       a.payment_terms, 0::smallint as disabled
  from billing_accounts a
  left join students s on s.tenant_id = a.tenant_id and s.id = a.student_id;

-- An invoice is all obligations of one number; it has the id of the first one.
create view sales_invoice_records with (security_invoker = true) as
select o.tenant_id, o.payment_id as id, o.invoice_number as name, 'Administrator' as owner, 'Administrator' as modified_by,
       (case when sums.open_parts = 0 then 2 else 1 end)::smallint as docstatus, p.created_at,
       sums.updated_at, p.version,
       coalesce(a.name, own.full_name) as title, null::text as naming_series, a.account_number as customer,
       coalesce(a.name, own.full_name) as customer_name, s.student_code as student, s.full_name as student_name, o.company,
       o.posted_on as posting_date, sums.due_on as due_date, p.currency, 1::numeric as conversion_rate, o.fee as fees,
       f.fee_schedule, f.program, 1::numeric as total_qty, sums.total, sums.total as net_total, sums.total as grand_total,
       sums.total as rounded_total, sums.open as outstanding_amount, sums.paid as paid_amount,
       a.payment_terms as payment_terms_template, o.receivable_account as debit_to, o.cost_center,
       p.description as remarks, 0::smallint as is_return,
       case when sums.open_parts = 0 then 'Cancelled'
            when sums.open <= 0 then case when sums.paid > 0 then 'Paid' else 'Credit Note Issued' end
            when sums.overdue > 0 then 'Overdue'
            when sums.open < sums.total then 'Partly Paid'
            else 'Unpaid' end as status
  from obligations o
  join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
  join billing_accounts a on a.tenant_id = o.tenant_id and a.id = o.account_id
  join students s on s.tenant_id = o.tenant_id and s.id = p.student_id
  left join students own on own.tenant_id = a.tenant_id and own.id = a.student_id
  left join fees f on f.tenant_id = o.tenant_id and f.name = o.fee
  left join lateral (
    select sum(q.amount) as total, sum(part.open_amount) as open, sum(part.paid_amount) as paid,
           max(part.due_on) as due_on, max(greatest(part.updated_at, q.updated_at)) as updated_at,
           count(*) filter (where part.closed_on is null) as open_parts,
           sum(part.open_amount) filter (
             where part.due_on < (select (current_timestamp at time zone t.time_zone)::date from tenants t
                                   where t.id = o.tenant_id)) as overdue
      from obligations part
      join payments q on q.tenant_id = part.tenant_id and q.id = part.payment_id
     where part.tenant_id = o.tenant_id and part.invoice_number = o.invoice_number) sums on true
 where not exists (
   select from obligations earlier
    where earlier.tenant_id = o.tenant_id and earlier.invoice_number = o.invoice_number
      and earlier.payment_id < o.payment_id)
union all
select d.tenant_id, d.id, d.name, d.owner, d.modified_by, d.docstatus, d.created_at, d.updated_at, d.version,
       coalesce(a.name, own.full_name), d.fields ->> 'naming_series', a.account_number, coalesce(a.name, own.full_name),
       s.student_code, s.full_name, d.fields ->> 'company', (d.fields ->> 'posting_date')::date,
       (d.fields ->> 'due_date')::date, a.currency, 1, null, null, null,
       (d.fields ->> 'total_qty')::numeric, (d.fields ->> 'grand_total')::numeric, (d.fields ->> 'grand_total')::numeric,
       (d.fields ->> 'grand_total')::numeric, (d.fields ->> 'grand_total')::numeric,
       (d.fields ->> 'grand_total')::numeric, 0, d.fields ->> 'payment_terms_template', d.fields ->> 'debit_to',
       d.fields ->> 'cost_center', d.fields ->> 'remarks', 0::smallint, 'Draft'
  from sales_invoices d
  join billing_accounts a on a.tenant_id = d.tenant_id and a.id = d.account_id
  join students s on s.tenant_id = d.tenant_id and s.id = d.student_id
  left join students own on own.tenant_id = a.tenant_id and own.id = a.student_id
 where d.docstatus = 0;

create view sales_invoice_item_rows with (security_invoker = true) as
-- Of a fee that one account pays: its components.
select o.tenant_id, c.id, o.payment_id as parent_id, c.name, c.idx, c.owner, c.modified_by, 1::smallint as docstatus,
       c.created_at, c.updated_at, c.fees_category as item_code, c.fees_category as item_name, c.description,
       1::numeric as qty, 'Nos' as uom, c.amount as rate, c.amount, o.income_account, o.cost_center
  from obligations o
  join fees f on f.tenant_id = o.tenant_id and f.name = o.fee
  join fees_components c on c.tenant_id = f.tenant_id and c.parent_id = f.id
 where not exists (select from obligations other
                    where other.tenant_id = o.tenant_id and other.fee = o.fee
                      and (other.account_id <> o.account_id or other.payment_id < o.payment_id))
union all
-- Of one that a client made: its items, while they are what is asked for.
select d.tenant_id, md5(d.id::text || item.name)::uuid, d.id, item.name, item.idx, d.owner, d.modified_by, d.docstatus,
       d.created_at, d.updated_at, item.item_code, item.item_name, item.description, item.qty, item.uom, item.rate,
       item.amount, coalesce(item.income_account, d.fields ->> 'income_account'),
       coalesce(item.cost_center, d.fields ->> 'cost_center')
  from sales_invoices d
 cross join lateral jsonb_to_recordset(d.fields -> 'items') as item (
   name text, idx integer, item_code text, item_name text, description text, qty numeric, uom text, rate numeric,
   amount numeric, income_account text, cost_center text)
 where d.docstatus = 0
    or (d.fields ->> 'grand_total')::numeric = (
         select sum(q.amount) from obligations part
           join payments q on q.tenant_id = part.tenant_id and q.id = part.payment_id
          where part.tenant_id = d.tenant_id and part.invoice_number = d.name)
union all
-- Of all others: the whole.
select o.tenant_id, o.payment_id, o.payment_id, row_name_of(o.payment_id), 1, 'Administrator', 'Administrator',
       1::smallint, p.created_at, p.updated_at, null, coalesce(o.fee, left(p.description, 140)), p.description, 1, 'Nos',
       sums.total, sums.total, o.income_account, o.cost_center
  from obligations o
  join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
  left join lateral (
    select sum(q.amount) as total from obligations part
      join payments q on q.tenant_id = part.tenant_id and q.id = part.payment_id
     where part.tenant_id = o.tenant_id and part.invoice_number = o.invoice_number) sums on true
 where not exists (
         select from obligations earlier
          where earlier.tenant_id = o.tenant_id and earlier.invoice_number = o.invoice_number
            and earlier.payment_id < o.payment_id)
   and (o.fee is null or exists (select from obligations other
                                  where other.tenant_id = o.tenant_id and other.fee = o.fee
                                    and other.account_id <> o.account_id))
   and not exists (select from sales_invoices d
                    where d.tenant_id = o.tenant_id and d.id = o.payment_id
                      and (d.fields ->> 'grand_total')::numeric = sums.total);

create view payment_schedule_rows with (security_invoker = true) as
select o.tenant_id, o.payment_id as id, head.payment_id as parent_id, row_name_of(o.payment_id) as name,
       (select count(*) from obligations before
         where before.tenant_id = o.tenant_id and before.invoice_number = o.invoice_number
           and (before.due_on, before.payment_id) <= (o.due_on, o.payment_id))::integer as idx,
       'Administrator' as owner, 'Administrator' as modified_by, 1::smallint as docstatus, p.created_at, p.updated_at,
       null::text as payment_term, p.description, o.due_on as due_date,
       round(100 * p.amount / nullif((
         select sum(q.amount) from obligations part
           join payments q on q.tenant_id = part.tenant_id and q.id = part.payment_id
          where part.tenant_id = o.tenant_id and part.invoice_number = o.invoice_number), 0), 6) as invoice_portion,
       p.amount as payment_amount, o.open_amount as outstanding, o.paid_amount
  from obligations o
  join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
  join obligations head on head.tenant_id = o.tenant_id and head.invoice_number = o.invoice_number
 where not exists (
   select from obligations earlier
    where earlier.tenant_id = o.tenant_id and earlier.invoice_number = o.invoice_number
      and earlier.payment_id < head.payment_id);

-- Receipts, under the names that clients gave them or else their numbers, and drafts of them.
create view payment_entry_records with (security_invoker = true) as
select h.tenant_id, h.id, h.name, h.owner, h.modified_by,
       (case when r.id is null then 0 when r.status = 'reversed' then 2 else 1 end)::smallint as docstatus,
       h.created_at, greatest(h.updated_at, r.updated_at) as updated_at, coalesce(r.version, h.version) as version,
       coalesce(a.name, s.full_name) as title, h.fields ->> 'naming_series' as naming_series,
       case when r.method = 'credit' then 'Internal Transfer' else 'Receive' end as payment_type,
       coalesce(r.received_on, (h.fields ->> 'posting_date')::date) as posting_date, h.fields ->> 'company' as company,
       coalesce(h.fields ->> 'mode_of_payment',
                case r.method when 'cash' then 'Cash' when 'transfer' then 'Wire Transfer' when 'card' then 'Credit Card'
                              when 'cheque' then 'Cheque' when 'direct_debit' then 'Direct Debit'
                              when 'credit' then 'Credit' end) as mode_of_payment,
       'Customer' as party_type, a.account_number as party, coalesce(a.name, s.full_name) as party_name,
       h.fields ->> 'paid_from' as paid_from, a.currency as paid_from_account_currency, h.fields ->> 'paid_to' as paid_to,
       a.currency as paid_to_account_currency,
       coalesce(r.amount, (h.fields ->> 'paid_amount')::numeric) as paid_amount,
       coalesce(r.amount, (h.fields ->> 'paid_amount')::numeric) as received_amount, 1::numeric as source_exchange_rate,
       1::numeric as target_exchange_rate,
       coalesce(r.amount - r.unallocated, (h.fields ->> 'total_allocated_amount')::numeric) as total_allocated_amount,
       coalesce(r.unallocated, (h.fields ->> 'unallocated_amount')::numeric) as unallocated_amount,
       0::numeric as difference_amount,
       case when r.id is null then h.fields ->> 'reference_no' else r.reference end as reference_no,
       (h.fields ->> 'reference_date')::date as reference_date, h.fields ->> 'remarks' as remarks, r.receipt_number,
       case when r.id is null then 'Draft' when r.status = 'reversed' then 'Cancelled' else 'Submitted' end as status
  from (select tenant_id, id, name, owner, modified_by, created_at, updated_at, version, fields,
               account_id
          from payment_entries
        union all
        select p.tenant_id, p.id, p.receipt_number, 'Administrator', 'Administrator', p.created_at, p.updated_at, p.version,
               null::jsonb, p.account_id
          from billing_receipts p
         where not exists (select from payment_entries e where e.tenant_id = p.tenant_id and e.id = p.id)) h
  left join billing_receipts r on r.tenant_id = h.tenant_id and r.id = h.id
  left join billing_accounts a on a.tenant_id = h.tenant_id and a.id = h.account_id
  left join students s on s.tenant_id = a.tenant_id and s.id = a.student_id;

create view payment_entry_reference_rows with (security_invoker = true) as
select paid.tenant_id, md5(paid.receipt_id::text || paid.invoice_number)::uuid as id, paid.receipt_id as parent_id,
       left(md5(paid.receipt_id::text || paid.invoice_number), 10) as name,
       row_number() over (partition by paid.tenant_id, paid.receipt_id order by paid.position)::integer as idx,
       'Administrator' as owner, 'Administrator' as modified_by, 1::smallint as docstatus, paid.created_at,
       paid.created_at as updated_at, 'Sales Invoice' as reference_doctype, paid.invoice_number as reference_name,
       sums.due_on as due_date, sums.total as total_amount, sums.open as outstanding_amount,
       paid.amount as allocated_amount, 1::numeric as exchange_rate
  from (select l.tenant_id, l.receipt_id, o.invoice_number, min(l.position) as position, sum(l.amount) as amount,
               min(r.created_at) as created_at
          from billing_receipt_allocations l
          join obligations o on o.tenant_id = l.tenant_id and o.payment_id = l.payment_id
          join billing_receipts r on r.tenant_id = l.tenant_id and r.id = l.receipt_id
         group by l.tenant_id, l.receipt_id, o.invoice_number) paid
  left join lateral (
    select max(part.due_on) as due_on, sum(q.amount) as total, sum(part.open_amount) as open
      from obligations part
      join payments q on q.tenant_id = part.tenant_id and q.id = part.payment_id
     where part.tenant_id = paid.tenant_id and part.invoice_number = paid.invoice_number) sums on true
union all
select e.tenant_id, md5(e.id::text || row.name)::uuid, e.id, row.name, row.idx, e.owner, e.modified_by, 0::smallint,
       e.created_at, e.updated_at, row.reference_doctype, row.reference_name, row.due_date, row.total_amount,
       row.outstanding_amount, row.allocated_amount, 1
  from payment_entries e
 cross join lateral jsonb_to_recordset(e.fields -> 'references') as row (
   name text, idx integer, reference_doctype text, reference_name text, due_date date, total_amount numeric,
   outstanding_amount numeric, allocated_amount numeric)
 where e.docstatus = 0;
