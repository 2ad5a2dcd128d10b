-- A record is deleted only when nothing names it, so what may name records of any type is found by the record.
create index gl_entries_party_idx on gl_entries (tenant_id, party_type, party) where party is not null;
create index course_activities_content_idx on course_activities (tenant_id, content_type, content)
 where content is not null;
create index topics_topic_content_content_idx on topics_topic_content (tenant_id, content_type, content)
 where content is not null;
