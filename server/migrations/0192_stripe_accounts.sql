alter table education_settings add column stripe_publishable_key text;
alter table education_settings add column stripe_secret_key text;
alter table education_settings add column stripe_webhook_secret text;
