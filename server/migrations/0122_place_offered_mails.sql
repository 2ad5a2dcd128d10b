-- Mails that offer a place of a group to the first of its waiting list.
alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check
  -- None that is there can break it, so none is read for it.
  check (kind in ('document_request', 'password_reset', 'welcome', 'webhook_disabled', 'request_receipt', 'form_receipt',
                  'form_draft', 'sign_in_added', 'sign_in_removed', 'account_unlinked', 'address_replaced',
                  'place_offered')) not valid;
