import { SUBMISSION_TABLE } from './submission-table.js'

/** What made the tables, step by step. A step that was released is never changed: a new one follows it. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    statements: [
      'create table meta (key text primary key, value text not null)',
      `create table api_key (
        id text primary key,
        name text not null,
        kind text not null check (kind in ('private', 'public')),
        hash bytea not null,
        wallet integer not null unique check (wallet >= 1),
        created_at timestamptz not null default now(),
        revoked_at timestamptz
      )`,
      // A null nonce was not read from the chain yet.
      `create table wallet (
        index integer primary key check (index >= 0),
        address text not null unique,
        next_nonce integer check (next_nonce >= 0),
        lease_owner uuid,
        lease_until timestamptz
      )`,
      ...SUBMISSION_TABLE,
      // Counts of a minute need to survive no crash of the server.
      `create unlogged table rate_limit (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      )`,
    ],
  },
  {
    id: 2,
    statements: [
      // A slot is `[time, points]`: milliseconds of the last grant, and the points granted (see access/counter.ts).
      'drop table rate_limit',
      `create unlogged table rate_limit (
        key text primary key,
        slots jsonb not null default '[]',
        granted float8 not null default 0,
        counted_at float8 not null
      )`,
    ],
  },
]

export type Migration = {
  /** One more than the one before. */
  readonly id: number
  /** One statement each. */
  readonly statements: readonly string[]
}
