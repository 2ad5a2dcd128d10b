-- By which SECRET_KEY the installation signs and encrypts: a fingerprint that tells nothing of it, so that another one is noticed.
create table secret_key_marks (
  fingerprint text not null constraint secret_key_marks_pkey primary key
    constraint secret_key_marks_fingerprint_check check (fingerprint ~ '^[0-9a-f]{16}$'),
  noted_at timestamptz(3) not null default current_stamp()
);
