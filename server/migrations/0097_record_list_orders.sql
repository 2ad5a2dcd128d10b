-- migration: concurrently
-- Lists of the Resource and Method API that are read off an index: the fees of a student in the order in which they are due, and the
-- records of types that were added since, with the id behind the stamp, which ends every order.
create index concurrently if not exists fees_student_due_date_idx on fees (tenant_id, student, due_date, id)
  where student is not null;
drop index concurrently if exists fees_student_idx;

create index concurrently if not exists comments_creation_idx on comments (tenant_id, created_at, id);
drop index concurrently if exists comments_created_at_idx;
create index concurrently if not exists comments_modified_idx on comments (tenant_id, updated_at, id);
drop index concurrently if exists comments_updated_at_idx;

create index concurrently if not exists custom_fields_creation_idx on custom_fields (tenant_id, created_at, id);
drop index concurrently if exists custom_fields_created_at_idx;
create index concurrently if not exists custom_fields_modified_idx on custom_fields (tenant_id, updated_at, id);
drop index concurrently if exists custom_fields_updated_at_idx;

create index concurrently if not exists email_groups_creation_idx on email_groups (tenant_id, created_at, id);
drop index concurrently if exists email_groups_created_at_idx;
create index concurrently if not exists email_groups_modified_idx on email_groups (tenant_id, updated_at, id);
drop index concurrently if exists email_groups_updated_at_idx;

create index concurrently if not exists email_group_members_creation_idx on email_group_members (tenant_id, created_at, id);
drop index concurrently if exists email_group_members_created_at_idx;
create index concurrently if not exists email_group_members_modified_idx on email_group_members (tenant_id, updated_at, id);
drop index concurrently if exists email_group_members_updated_at_idx;

create index concurrently if not exists questions_creation_idx on questions (tenant_id, created_at, id);
drop index concurrently if exists questions_created_at_idx;
create index concurrently if not exists questions_modified_idx on questions (tenant_id, updated_at, id);
drop index concurrently if exists questions_updated_at_idx;

create index concurrently if not exists quizzes_creation_idx on quizzes (tenant_id, created_at, id);
drop index concurrently if exists quizzes_created_at_idx;
create index concurrently if not exists quizzes_modified_idx on quizzes (tenant_id, updated_at, id);
drop index concurrently if exists quizzes_updated_at_idx;

create index concurrently if not exists quiz_activities_creation_idx on quiz_activities (tenant_id, created_at, id);
drop index concurrently if exists quiz_activities_created_at_idx;
create index concurrently if not exists quiz_activities_modified_idx on quiz_activities (tenant_id, updated_at, id);
drop index concurrently if exists quiz_activities_updated_at_idx;

create index concurrently if not exists tag_links_creation_idx on tag_links (tenant_id, created_at, id);
drop index concurrently if exists tag_links_created_at_idx;
create index concurrently if not exists tag_links_modified_idx on tag_links (tenant_id, updated_at, id);
drop index concurrently if exists tag_links_updated_at_idx;

create index concurrently if not exists todos_creation_idx on todos (tenant_id, created_at, id);
drop index concurrently if exists todos_created_at_idx;
create index concurrently if not exists todos_modified_idx on todos (tenant_id, updated_at, id);
drop index concurrently if exists todos_updated_at_idx;
