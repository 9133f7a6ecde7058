import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { printTypes } from '../../src/emit/print-types.js'
import { projectHttp, projectRpc } from '../../src/emit/projection.js'
import { loadApi } from '../../src/model/load.js'
import { answering, openapiOf } from '../model/api-of.js'

/** What the package prints by its own front door, which resolves, lints and bundles first. */
const byFrontDoor = async (document: object) =>
  astToString(
    await openapiTS(structuredClone(document) as OpenAPI3, {
      silent: true,
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
    }),
  )

const api = await loadApi({
  openapi: 'spec/openapi.yaml',
  openrpc: 'spec/openrpc.yaml',
})

const kind = (of: string) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: [of] } },
})
const told = openapiOf({
  schemas: {
    Cat: kind('cat'),
    Dog: kind('dog'),
    Pet: {
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      discriminator: {
        propertyName: 'kind',
        mapping: {
          cat: '#/components/schemas/Cat',
          dog: '#/components/schemas/Dog',
        },
      },
    },
    Old: {
      allOf: [{ $ref: '#/components/schemas/Cat' }],
      required: ['kind'],
      default: {},
    },
  },
  paths: { '/pets/{id}': answering({ $ref: '#/components/schemas/Pet' }) },
})

/** More than are printed at a time, with a helper that several parts ask for, and comments that read as ends. */
const many = Array.from({ length: 120 }, (_, at) => at)
const large = openapiOf({
  schemas: {
    Base: kind('base'),
    ...Object.fromEntries(
      many.map((at) => [
        `Kind${at}`,
        {
          allOf: [
            { $ref: `#/components/schemas/Kind${(at + 1) % 120}` },
            kind(`};\n    };\n${at}`),
          ],
          ...(at % 60 === 0 && { required: ['kind'] }),
          description: `The end of a list:\n}\n    };\n${at}`,
        },
      ]),
    ),
  },
  paths: Object.fromEntries(
    many.map((at) => [
      `/${at}/{id}`,
      answering(
        at % 60 === 30
          ? { allOf: [{ $ref: '#/components/schemas/Base' }], required: ['kind'] }
          : { $ref: `#/components/schemas/Kind${at}` },
        `read${at}`,
      ),
    ]),
  ),
})

test.each([
  ['our HTTP document', projectHttp(api)],
  ['our projection', projectRpc(api)],
  ['a discriminator', told],
  ['a large document', large],
  ['a document without anything', openapiOf({ paths: {} })],
])('%s is printed as openapi-typescript prints it by itself', async (_, document) => {
  const copy = structuredClone(document) as OpenAPI3
  expect(printTypes(copy).all.join('')).toBe(await byFrontDoor(document))
})
