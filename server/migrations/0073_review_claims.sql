-- Who is looking at which version of a document, so that nobody else judges it meanwhile.
create table review_claims (
  tenant_id uuid not null,
  document_id uuid not null,
  version_id uuid not null,
  user_id uuid not null,
  user_name text not null,
  claimed_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint review_claims_pkey primary key (tenant_id, document_id)
);
