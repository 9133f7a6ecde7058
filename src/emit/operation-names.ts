import type { Api, Operation } from '../model/api.js'
import { camelCase, isIdentifier, pascalCase, uniqueName } from '../text/names.js'

/** The names of the exported types of an operation. */
export type OperationNames = Readonly<Record<Role, string>>

type Role = keyof typeof SUFFIXES

const SUFFIXES = {
  /** What openapi-typescript prints of an HTTP operation. */
  operation: 'Operation',
  /** The argument of a call: of a method, its params. */
  input: 'Input',
  /** What a call resolves with. */
  result: 'Result',
  /** The documented errors. */
  error: 'Error',
  /** The request variants, if the operation has some. */
  variants: 'Variants',
} as const

const ROLES = Object.keys(SUFFIXES) as readonly Role[]

/**
 * The names of the types of each operation: `createOrder` has `CreateOrderInput`, `CreateOrderResult`, `CreateOrderError` and
 * `CreateOrderVariants`. A schema keeps its name, and the type of the operation is called `CreateOrderOperationResult`.
 */
export function operationNames({
  operations,
  schemas,
}: Pick<Api, 'operations' | 'schemas'>): (operation: Operation) => OperationNames {
  const words = new Map<string, number>()
  for (const { id } of operations) words.set(typeName(id), (words.get(typeName(id)) ?? 0) + 1)
  // Of the ids `getPet` and `GetPet`, the second is unchanged, so that the names differ whatever their order is.
  const stemOf = (id: string) =>
    words.get(typeName(id)) === 1 || camelCase(id) === id ? typeName(id) : `${id}_`

  const preferred = operations.flatMap(({ id }) => ROLES.map((role) => stemOf(id) + SUFFIXES[role]))
  const used = new Set([...schemas.keys(), ...preferred])
  const names = new Map<string, OperationNames>(
    operations.map(({ id }) => {
      const named = ROLES.map((role) => {
        const name = stemOf(id) + SUFFIXES[role]
        const free = schemas.has(name)
          ? uniqueName(`${stemOf(id)}Operation${SUFFIXES[role]}`, used)
          : name
        return [role, free]
      })
      return [id, Object.fromEntries(named)]
    }),
  )
  return ({ id }) => {
    const own = names.get(id)
    if (own === undefined) throw new TypeError(`unexpected operation ${id}`)
    return own
  }
}

/** `_2fa` -> `_2fa`, because `2fa` is no identifier; `_` stays. */
const typeName = (id: string): string => {
  const name = pascalCase(id)
  return isIdentifier(name) ? name : id
}
