-- The line of a bank statement whose credit cleared it.
alter table direct_debit_transactions add column bank_line_id uuid;
