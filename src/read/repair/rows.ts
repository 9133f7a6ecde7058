import { CONTENT_ROWS } from './content-rows.js'
import { OPENAPI_ROWS } from './openapi-rows.js'
import { OPENRPC_ROWS } from './openrpc-rows.js'
import type { RepairRow } from './repair.js'
import { SCHEMA_ROWS } from './schema-rows.js'
import { SWAGGER_ROWS } from './swagger-rows.js'

/** The repairs of OpenAPI and OpenRPC documents, in the order in which they apply at one place. */
export const REPAIRS: readonly RepairRow[] = [
  ...CONTENT_ROWS,
  ...OPENAPI_ROWS,
  ...OPENRPC_ROWS,
  ...SCHEMA_ROWS,
]

/** The text of docs/documents.md with the table of repairs. */
export const withRepairTable = (page: string): string =>
  page.replace(/\| written \| read as \|\n(\|.*\n)*/, () => repairTable())

const repairTable = (): string =>
  [
    '| written | read as |',
    '| --- | --- |',
    ...[SCHEMA_ROWS, CONTENT_ROWS, OPENAPI_ROWS, READ_WITHOUT_REPAIR, SWAGGER_ROWS, OPENRPC_ROWS]
      .flat()
      .map(({ fault, meaning }) => `| ${fault} | ${meaning} |`),
    '',
  ].join('\n')

/** Faults that no place shows by itself, so that a reader of the whole document decides on them. */
const READ_WITHOUT_REPAIR: readonly Pick<RepairRow, 'fault' | 'meaning'>[] = [
  // `normalise.ts` translates it with the other keywords of OpenAPI 3.0 and Swagger 2.0.
  {
    fault:
      '`nullable: true` in 3.1 and OpenRPC, or next to a `$ref`; `x-nullable: true` (the warning is one of `lint`)',
    meaning: 'null is accepted',
  },
  // `normalise.ts` knows the dialect of a schema, and in others these forms are right: it translates them all in one place.
  {
    fault: '`exclusiveMinimum: true` or `exclusiveMaximum: true` in 3.1',
    meaning: 'the bound of `minimum` or `maximum`, exclusive',
  },
  { fault: 'a list of schemas as `items` in 3.1', meaning: '`prefixItems`' },
  // `version.ts` reads it before anything else.
  { fault: '`v3.0.0`, `3` or `3.0` as the version', meaning: '`3.0.0`' },
  // `references.ts` first searches all files for the target.
  {
    fault: '`$ref: Order`, `#Order` or `#/definitions/Order`',
    meaning: 'the schema `Order`',
  },
  // `openapi-parameters.ts` compares the names with the path and with all parameters of the operation.
  {
    fault: 'the path `/users/{userId}` with the parameter `userID` or `user_id`',
    meaning: 'the parameter `userId`',
  },
  // `security.ts` needs the declared schemes.
  {
    fault:
      '`security: [{ basic: [], bearer: [] }]`: two schemes of one requirement with the same header',
    meaning: '`[{ basic: [] }, { bearer: [] }]`, as a request has one credential in each header',
  },
]
