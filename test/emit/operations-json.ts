import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { emitOperationsJson } from '../../src/emit/operations-json.js'
import type { Api } from '../../src/model/api.js'
import { operationRecord } from '../../src/model/operation-record.js'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const validate = ajv.compile(JSON.parse(readFileSync('src/emit/operations.schema.json', 'utf8')))

export type OperationsFile = {
  readonly http: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly rpc: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly schemas: Readonly<Record<string, unknown>>
}

export const operationsFileOf = (api: Api): OperationsFile =>
  JSON.parse(emitOperationsJson(api).text)

/** The faults of `operations.json` by its JSON Schema, and the references that lead to nothing. */
export const faultsOf = (file: OperationsFile): readonly string[] => {
  const errors = validate(file) ? [] : (validate.errors ?? [])
  const refs = JSON.stringify(file).matchAll(/"\$ref":"#\/(?:schemas\/)?([^"]*)"/g)
  const lost = [...refs].flatMap(([, name = '']) =>
    Object.hasOwn(file.schemas, name) ? [] : [`no schema ${name}`],
  )
  return [...errors.map((error) => `${error.instancePath} ${error.message}`), ...lost]
}

/** The records of `operations.json` without their schemas. */
export const recordsIn = ({ http, rpc }: OperationsFile): object =>
  Object.fromEntries([
    ...Object.entries(http).map(([id, one]) => [
      id,
      {
        ...one,
        parameters: listOf(one.parameters).map(withoutSchema),
        ...(one.body !== undefined && { body: contentWithout(one.body) }),
        responses: listOf(one.responses).map(contentWithout),
      },
    ]),
    ...Object.entries(rpc).map(([id, { result: _, otherParams: __, ...one }]) => [
      id,
      { ...one, params: listOf(one.params).map(withoutSchema) },
    ]),
  ])

/** The records of an Api as generated code contains them. */
export const recordsOf = (api: Api): object =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(api.operations.map((one) => [one.id, operationRecord(one, api)])),
    ),
  )

const listOf = (value: unknown): readonly object[] => value as readonly object[]

const withoutSchema = (one: object): object => {
  const { schema: _, itemSchema: __, ...rest } = one as Readonly<Record<string, unknown>>
  return rest
}

const contentWithout = (one: unknown): object => {
  const body = one as { readonly content: readonly object[] }
  return { ...body, content: body.content.map(withoutSchema) }
}
