-- migration: expand, concurrently
-- How many mails somebody was sent lately is asked before another one that anybody may cause.
create index concurrently if not exists outgoing_mails_recipient_idx on outgoing_mails (tenant_id, recipient, created_at);
