import type { JsonObject } from '../model/api.js'
import { withoutEmptyChoice } from '../model/empty-choices.js'
import { changed } from '../model/json.js'
import { mapSchemas } from '../model/map-schemas.js'

/** A document with schemas that Prism's validator can compile: it stops at some that OpenAPI allows. */
export const prismDocument = (document: JsonObject): JsonObject =>
  mapSchemas(document, (schema) => withoutRepeats(withoutLoneNullable(withoutEmptyChoice(schema))))

/** OpenAPI 3.0.3, Schema Object: `nullable` means something only beside `type`, and ajv throws an error for it elsewhere. */
const withoutLoneNullable = (schema: JsonObject): JsonObject => {
  if (schema.nullable === undefined || schema.type !== undefined) return schema
  const { nullable: _, ...others } = schema
  return others
}

/** The meta-schema of draft 7 forbids repeated entries in these lists, and ajv does not compile a schema that breaks it. */
const withoutRepeats = (schema: JsonObject): JsonObject =>
  changed(schema, (member, key) => {
    if (!UNIQUE.has(key) || !Array.isArray(member)) return member
    const unique = [...new Map(member.map((one) => [JSON.stringify(one), one])).values()]
    return unique.length === member.length ? member : unique
  })

const UNIQUE: ReadonlySet<string> = new Set(['required', 'enum', 'type'])
