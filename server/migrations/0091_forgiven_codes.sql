-- When the wrong codes of somebody were last forgiven because of a new password by the link of a mail.
alter table one_time_codes add column forgiven_at timestamptz(3);
