import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inOneFile } from '../../../src/emit/declaration.js'
import { emitExplanations } from '../../../src/emit/explanations.js'
import { PLUGINS } from '../../../src/emit/plugins.js'
import { emitValidators } from '../../../src/emit/validators.js'
import type { Api } from '../../../src/model/api.js'
import { importFile } from '../generated-code.js'

/** The libraries whose schemas are generated. */
export const LIBRARIES = ['zod', 'valibot'] as const

export type LibraryName = (typeof LIBRARIES)[number]

/** What `zod.ts` of an Api exports, run with the library. */
export async function importSchemas(
  api: Api,
  library: LibraryName,
): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(join(tmpdir(), `twinspec-${library}-`))
  try {
    const files = [
      inOneFile(emitValidators(api)),
      inOneFile(emitExplanations(api)),
      PLUGINS[library].emit(api),
    ]
    for (const { name, text } of files) writeFileSync(join(folder, name), text)
    return await importFile(folder, `${library}.ts`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The verdict of a schema of either library, or what it throws. Both are Standard Schemas. */
export function verdictOf(schema: unknown, value: unknown): boolean | string {
  try {
    return (schema as Standard)['~standard'].validate(value).issues === undefined
  } catch (error) {
    return String(error)
  }
}

type Standard = {
  readonly '~standard': { readonly validate: (value: unknown) => { readonly issues?: unknown } }
}
