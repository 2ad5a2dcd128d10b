-- The institutions that were deleted: what is left to say of them, for operators alone.
create table deleted_tenants (
  id uuid not null constraint deleted_tenants_pkey primary key,
  slug text not null,
  name text not null,
  deleted_at timestamptz(3) not null default current_stamp(),
  -- Where its last backup went, or null: nobody wanted one.
  backup text,
  rows bigint not null,
  files bigint not null
);
