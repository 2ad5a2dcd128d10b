-- Whether a cancelled record was amended is asked whenever one is deleted or amended again.
create index assessment_results_amended_from_idx on assessment_results (tenant_id, amended_from)
  where amended_from is not null;
create index fees_amended_from_idx on fees (tenant_id, amended_from) where amended_from is not null;
create index student_attendances_amended_from_idx on student_attendances (tenant_id, amended_from)
  where amended_from is not null;
