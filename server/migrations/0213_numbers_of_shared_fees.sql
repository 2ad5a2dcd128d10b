-- migration: in batches
-- The accounts that share a fee have a document each, with a number of its own.
update obligations o
   set invoice_number = o.fee || '-' || (
         select count(distinct other.account_id) from obligations other
          where other.tenant_id = o.tenant_id and other.fee = o.fee and other.account_id <= o.account_id)
 where (o.tenant_id, o.payment_id) in (
   select old.tenant_id, old.payment_id
     from obligations old
    where old.fee is not null and old.invoice_number = old.fee
      and exists (select from obligations other
                   where other.tenant_id = old.tenant_id and other.fee = old.fee
                     and other.account_id <> old.account_id)
    limit 5000)
