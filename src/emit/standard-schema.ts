import type { Api } from '../model/api.js'
import { uniqueName } from '../text/names.js'
import { code, type File, file, importedBeside, importedNamespace, join } from './file.js'

/** `standard-schema.ts`: each validator as a separate Standard Schema, so that a bundle contains only those that it uses. */
export function emitStandardSchema(api: Api): File {
  const exported = new Set([...api.schemas.keys(), ...api.operations.map(({ id }) => id)])
  const own = importedNamespace(uniqueName('explanations', exported), './explanations.js')
  const one = importedBeside(exported, 'standardSchema', RUNTIME)
  const all = importedBeside(exported, 'standardSchemas', RUNTIME)
  const type = importedBeside(exported, 'StandardSchemas', RUNTIME, 'type')
  const named = [...api.schemas.keys()].map(
    (name) =>
      code`export const ${name}: ${type}<typeof ${own}.${name}> = /* @__PURE__ */ ${one}(${own}.${name})`,
  )
  const operations = api.operations.map(
    ({ id }) =>
      code`export const ${id}: ${type}<typeof ${own}.${id}> = /* @__PURE__ */ ${all}(${own}.${id})`,
  )
  const body = [
    ...(named.length > 0 ? [code`// The named schemas.\n${join(named)}`] : []),
    ...(operations.length > 0
      ? [
          code`// The parts of each operation, under the same keys as in \`explanations.ts\`.\n${join(operations)}`,
        ]
      : []),
  ]
  return file('standard-schema.ts', join(body, '\n\n'))
}

const RUNTIME = 'twinspec/runtime/standard-schema'
