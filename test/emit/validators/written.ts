import { build } from 'esbuild'
import { inOneFile } from '../../../src/emit/declaration.js'
import { emitValidators } from '../../../src/emit/validators.js'
import type { Api, NamedSchema } from '../../../src/model/api.js'
import { validatorSource } from '../../../src/runtime/validate/validator.js'
import {
  type Checks,
  open,
  type Validator,
  type ValidatorSchema,
} from '../../../src/runtime/validate.js'
import { createChecker } from '../../../src/schema/check.js'
import { refTo, type Schema } from '../../../src/schema/schema.js'

export type Schemas = Readonly<Record<string, Schema>>

/** Schemas as an Api has them, without any operation. */
export const apiOfSchemas = (schemas: Schemas): Api => {
  const place = { file: 'schemas.json', line: 1, column: 1 }
  const named = Object.entries(schemas).map(([name, schema]): [string, NamedSchema] => {
    const locate = (...path: readonly (string | number)[]) => ({
      ...place,
      pointer: `/${[name, ...path].join('/')}`,
    })
    return [name, { name, schema, usedBy: 'rpc', source: { locate } }]
  })
  return {
    title: 'Test',
    version: '1.0.0',
    operations: [],
    outgoing: [],
    schemas: new Map(named),
    workflows: [],
    leftovers: [],
    findings: [],
  } as unknown as Api
}

/** What is emitted for schemas, run: the exports of `validators.ts`. */
export const runWritten = async (schemas: Schemas): Promise<Readonly<Record<string, Checks>>> =>
  runText(inOneFile(emitValidators(apiOfSchemas(schemas))).text)

export const runText = async (text: string): Promise<Readonly<Record<string, Checks>>> => {
  const code = Buffer.from(await bundle(text)).toString('base64')
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)
}

/** The text of a module together with the helpers that it imports. */
export const bundle = async (text: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: text, loader: 'ts', resolveDir: import.meta.dirname },
    bundle: true,
    conditions: ['twinspec-source'],
    format: 'esm',
    target: 'es2023',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/** The verdicts on a value: of the written checks and of the run-time checker, in both readings. */
export const verdictsOf = (
  written: Checks,
  interpreted: Validator,
  value: unknown,
): { readonly written: Verdicts; readonly interpreted: Verdicts } => ({
  written: { strict: written.check(value), open: (written.open ?? written.check)(value) },
  interpreted: { strict: interpreted.check(value), open: open(interpreted).check(value) },
})

export type Verdicts = { readonly strict: boolean; readonly open: boolean }

/** The run-time checker of the same schemas, which nothing was written for. */
export const interpret = (schemas: Schemas): ((name: string) => Validator) =>
  createChecker(apiOfSchemas(schemas).schemas).named

/** Schemas that refer to each other by name, out of validators that hold each other; `Root` is the one given. */
export const schemasOf = (root: Validator): Schemas => {
  const names = new Map<Validator, string>([[root, 'Root']])
  const found: Record<string, Schema> = {}
  const refer = (validator: Validator): Schema => {
    const known = names.get(validator)
    if (known !== undefined) return { $ref: refTo(known) }
    const name = `Schema${names.size}`
    names.set(validator, name)
    found[name] = read(validator)
    return { $ref: refTo(name) }
  }
  const read = (validator: Validator): Schema => {
    const source = validatorSource(validator)
    if (source === undefined) throw new Error('a validator without a schema')
    return convert(source.schema())
  }
  const convert = (schema: ValidatorSchema): Schema => {
    if (typeof schema === 'boolean') return schema
    if ('check' in schema) return refer(schema as Validator)
    return change(schema) as Schema
  }
  const change = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(change)
    if (typeof part !== 'object' || part === null) return part
    if (typeof (part as Validator).check === 'function') return refer(part as Validator)
    const entries = Object.entries(part).map(([key, value]) => [
      key,
      key === 'const' || key === 'enum' ? value : change(value),
    ])
    return Object.fromEntries(entries)
  }
  found.Root = read(root)
  return found
}
