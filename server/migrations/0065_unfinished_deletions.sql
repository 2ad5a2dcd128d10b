-- A deletion is noted before its first row goes: until it is done it has no moment of its end.
alter table deleted_tenants
  alter column deleted_at drop not null,
  add column begun_at timestamptz(3);
