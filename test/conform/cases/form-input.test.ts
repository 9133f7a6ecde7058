import { expect, it } from 'vitest'
import { formInputs } from '../../../src/conform/cases/form-input.js'
import { createTarget } from '../../../src/conform/target.js'
import { withBodies } from '../../../src/conform/values/bodies.js'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { createChecker } from '../../../src/schema/check.js'

const FORM = `openapi: 3.1.0
info: { title: Small, version: '1' }
servers: [{ url: https://small.example }]
paths:
  /files:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              properties:
                title: { type: string, minLength: 2 }
                count: { type: integer }
                tags: { type: array, items: { type: string } }
                file: { type: string, format: binary }
                files: { type: array, items: { type: string, format: binary } }
                about: { type: object, properties: { n: { type: integer } } }
            encoding: { about: { contentType: application/json } }
      responses: { '200': { description: Done. } }
`

/** A form whose properties are in branches, and differ between two of them. */
const BRANCHES = `openapi: 3.1.0
info: { title: Small, version: '1' }
servers: [{ url: https://small.example }]
paths:
  /rounds:
    post:
      operationId: addRound
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            example: { name: first }
            schema:
              allOf:
                - oneOf:
                    - { type: object, required: [name], properties: { name: { type: string }, code: { type: string, maxLength: 1 } } }
                    - { type: object, required: [other], properties: { code: { type: integer }, round: { type: integer } } }
                - type: object
                  properties: { rated: { type: boolean }, delay: { type: integer, minimum: 0 } }
      responses: { '200': { description: Done. } }
`

/** Whether a server must reject a form, which it reads from texts and files. */
const isRejected = async (form: object, document = FORM) => {
  const api = withBodies(await loadApi({ openapi: parseDocument(document, 'small.yaml') }))
  const [operation] = api.operations
  if (operation?.kind !== 'http') throw new Error('no operation')
  const target = createTarget(api, { url: 'http://small.test' })
  const checker = createChecker(api.schemas)
  const plan = { api, target, checker, seed: 1, maxExamples: 1, skip: () => undefined }
  const [input] = formInputs(operation, plan, {})
  return input?.rejects(form)
}

it.each<[string, object, boolean]>([
  ['a number is a text on the wire', { title: 12 }, false],
  ['a number beside files', { title: 12, files: ['a', 'b'] }, false],
  ['one file of a list', { files: ['a'] }, false],
  ['a text where a list of files is declared, which is a file', { files: 1 }, false],
  ['a text where a file is declared', { file: true }, false],
  ['a list without its null, which is not sent', { files: [null] }, false],
  ['one text of a list', { tags: true }, false],
  ['several files where one is declared', { file: ['a', 'b'] }, true],
  ['a text that is too short', { title: 'a', files: ['a'] }, true],
  ['a text that is no number', { count: 'a' }, true],
  ['a wrong type within JSON', { about: { n: '1' } }, true],
])('%s', async (_, form, expected) => {
  expect(await isRejected(form)).toBe(expected)
})

it.each<[string, object, boolean]>([
  ['a boolean of a branch is a text on the wire', { name: 'a', rated: 'true' }, false],
  ['a number of a branch is a text on the wire', { name: 'a', delay: '5' }, false],
  ['a field that two branches read in different ways', { other: 'a', code: '5' }, false],
  ['a field that fits one of two branches as a text', { name: 'a', other: 'b', round: '5' }, false],
  ['a form of both branches', { name: 'a', other: 'b' }, true],
  ['a text that is no boolean', { name: 'a', rated: 'yes' }, true],
  ['a number of a branch that is too small', { name: 'a', delay: '-5' }, true],
])('with branches: %s', async (_, form, expected) => {
  expect(await isRejected(form, BRANCHES)).toBe(expected)
})
