-- The network that a form was saved from, so that one visitor does not take all the room that a form has.
alter table form_drafts add column saved_from text;
