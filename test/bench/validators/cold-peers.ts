import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import type { Api, RpcOperation } from '../../../src/model/api.js'
import { parametersSchema } from '../../../src/model/params.js'
import { wholeDocument } from '../../emit/validators/verdicts/peers.js'
import { BUILT } from '../peers.js'

/**
 * What others load for the validators of all methods: a module each, which exports `validators` as ours does, made of the same
 * schemas with the references that the documents have. The first was compiled ahead of time; the other two compile when they
 * are loaded.
 */
export async function coldPeers(api: Api): Promise<readonly ColdPeer[]> {
  const methods = api.operations.filter((one): one is RpcOperation => one.kind === 'rpc')
  const parts = methods.flatMap((method) => [
    { key: `${method.id}Params`, schema: parametersSchema(method) },
    { key: `${method.id}Result`, schema: method.result.schema },
  ])
  const schemas = new Map([...api.schemas].map(([name, { schema }]) => [name, schema]))
  const document = {
    $id: 'document',
    components: { schemas: Object.fromEntries(schemas) },
    $defs: Object.fromEntries(parts.map(({ key, schema }) => [key, schema])),
  }
  await writeFile(join(BUILT, 'cold-ajv-checks.cjs'), standalone(document))
  await writeFile(join(BUILT, 'cold-document.json'), JSON.stringify(document))
  const reached = parts.map(({ key, schema }) => ({ key, schema: wholeDocument(schema, schemas) }))
  await writeFile(join(BUILT, 'cold-whole-schemas.json'), JSON.stringify(reached))
  return [
    { name: 'ajv standalone', contents: AHEAD },
    { name: 'ajv', contents: AJV },
    { name: 'typebox', contents: TYPEBOX },
  ]
}

export type ColdPeer = { readonly name: string; readonly contents: string }

/** Formats are annotations, as they are for ours; with references inlined, the code is an eighth larger and slower. */
const SETTINGS = {
  strict: false,
  validateFormats: false,
  inlineRefs: false,
  messages: false,
} as const

function standalone(document: { readonly $defs: object }): string {
  const ajv = new Ajv2020.default({ ...SETTINGS, code: { source: true, optimize: 2 } })
  ajv.addSchema(document)
  const refs = Object.keys(document.$defs).map((key) => [key, `document#/$defs/${key}`])
  return standaloneCode.default(ajv, Object.fromEntries(refs))
}

/** `ethChainId` -> the checks of its params and its result, by their keys. */
const PAIRED = `
const pair = (id) => ({ params: { check: checkOf(id + 'Params') }, result: { check: checkOf(id + 'Result') } })
const ids = keys.filter((key) => key.endsWith('Params')).map((key) => key.slice(0, -'Params'.length))
export const validators = Object.fromEntries(ids.map((id) => [id, pair(id)]))`

const AHEAD = `
import checks from './cold-ajv-checks.cjs'
const keys = Object.keys(checks)
const checkOf = (key) => checks[key]
${PAIRED}`

const AJV = `
import Ajv2020 from 'ajv/dist/2020.js'
import document from './cold-document.json' with { type: 'json' }
const ajv = new Ajv2020.default(${JSON.stringify(SETTINGS)})
ajv.addSchema(document)
const keys = Object.keys(document.$defs)
const checkOf = (key) => ajv.getSchema('document#/$defs/' + key)
${PAIRED}`

const TYPEBOX = `
import { Compile } from 'typebox/schema'
import parts from './cold-whole-schemas.json' with { type: 'json' }
const compiled = new Map(parts.map(({ key, schema }) => [key, Compile(schema)]))
const keys = [...compiled.keys()]
const checkOf = (key) => {
  const one = compiled.get(key)
  if (!one.IsAccelerated()) throw new Error('typebox fell back to its interpreter')
  return (value) => one.Check(value)
}
${PAIRED}`
