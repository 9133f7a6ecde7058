/**
 * What the outbox keeps of each submission. `raw` and `hash` are written before anything is sent, so that every later attempt
 * sends the same bytes; a submission that the node refuses for good leaves its nonce to `filler_raw`. `done` says that the nonce
 * is spent on the chain, whichever of the two spent it; of a wallet's rows those that are not done are few, and every process
 * looks for work in the index over them.
 */
export const SUBMISSION_TABLE: readonly string[] = [
  `create table submission (
    queue_id uuid primary key,
    wallet integer not null references wallet (index),
    nonce integer not null check (nonce >= 0),
    kind text not null check (kind in ('message', 'call', 'deploy')),
    hash text not null,
    raw bytea not null,
    status text not null default 'pending'
      check (status in ('pending', 'processing', 'completed', 'error')),
    error_message text,
    filler_raw bytea,
    filler_hash text,
    done boolean not null default false,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    processed_at timestamptz,
    unique (wallet, nonce),
    check ((status in ('completed', 'error')) = (processed_at is not null)),
    check ((status = 'error') = (error_message is not null))
  )`,
  'create index submission_undone on submission (wallet, nonce) where not done',
  `create function keep_submission_end() returns trigger language plpgsql as $$
    begin
      if (new.status, new.error_message, new.processed_at)
        is distinct from (old.status, old.error_message, old.processed_at) then
        raise exception 'submission % has come to its end as %', old.queue_id, old.status
          using errcode = 'check_violation';
      end if;
      return new;
    end
  $$`,
  `create trigger submission_ends_once before update on submission for each row
    when (old.status in ('completed', 'error')) execute function keep_submission_end()`,
]
