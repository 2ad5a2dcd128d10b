-- migration: concurrently
-- The order of OneRoster's lists of users: who has an e-mail address comes first. Without these a page reads and sorts everybody.
create index concurrently if not exists students_roster_order_idx on students (tenant_id, (nullif(email, '') is null), id);

create index concurrently if not exists contacts_roster_order_idx on contacts (tenant_id, (nullif(email, '') is null), id);
