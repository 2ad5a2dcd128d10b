-- Scheduled backups belong to the installation that made them, and no other one removes them, except one that took its place. copied_from
-- is the installation from which the rows came; replaced are those whose place this one took, and with replaces_unnamed also whoever made
-- backups that name no installation.
alter table installations
  add column copied_from uuid,
  add column replaced uuid[] not null default '{}',
  add column replaces_unnamed boolean not null default false;
