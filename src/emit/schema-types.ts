import type { NamedSchema } from '../model/api.js'
import { code, type Fragment, importedType, join, raw } from './file.js'

/** Puts above a piece of code the lines that give the named types in it their short names. */
export function withSchemaTypes(body: Fragment): Fragment {
  const lines = (['http', 'rpc'] as const).flatMap((kind) => {
    if (!body.text.includes(`${NAME[kind]}[`)) return []
    const components = importedType(`components as ${ALIAS[kind]}`, `./${kind}.types.js`)
    return [code`type ${NAME[kind]} = ${{ ...components, text: ALIAS[kind] }}['schemas']`]
  })
  return lines.length === 0 ? body : code`${join(lines)}\n\n${body}`
}

/** The short name of the types among which a named schema is. */
export const typesOf = (usedBy: NamedSchema['usedBy']): Fragment => raw(NAME[kindOf(usedBy)])

/** A schema that both documents use is typed by either; the OpenRPC document's types stand for it. */
const kindOf = (usedBy: NamedSchema['usedBy']) => (usedBy === 'http' ? 'http' : 'rpc')

const NAME = { http: 'HttpSchemas', rpc: 'RpcSchemas' } as const
const ALIAS = { http: 'HttpComponents', rpc: 'RpcComponents' } as const
