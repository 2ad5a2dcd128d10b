-- Which languages pages and mails have is said once, by their catalogues; a table that lists them would have to follow each new one.
alter table document_requests drop constraint document_requests_locale_check;
alter table outgoing_mails drop constraint outgoing_mails_locale_check;
