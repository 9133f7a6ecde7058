import type { NamedSchema } from '../../../src/model/api.js'
import { createContainment } from '../../../src/schema/contain/contain.js'
import type { Gap } from '../../../src/schema/contain/gap.js'
import { accepts, createSide, type Node, nodeOf } from '../../../src/schema/node.js'
import { refTo, type Schema } from '../../../src/schema/schema.js'

/** A schema of one version, with what it refers to by name. */
export type Version = { readonly schema: Schema; readonly named?: Readonly<Record<string, Schema>> }

export type Reading = 'strict' | 'open'

/** Where `inner` lets through what `outer` refuses, with both as they were asked. */
export const compared = (inner: Version, outer: Version, reading: Reading = 'strict'): Compared => {
  const [one, other] = [rootOf(inner), rootOf(outer)]
  return { inner: one, outer: other, gaps: createContainment(reading).gapsOf([one], other) }
}

export type Compared = {
  readonly inner: Node
  readonly outer: Node
  readonly gaps: readonly Gap[]
}

/** It is certain that `inner` lets something through that `outer` does not. */
export const isProven = ({ isCertain, witness }: Gap): boolean => isCertain || witness !== undefined

export const holds = ({ schema, named = {} }: Version, value: unknown, reading?: Reading) =>
  accepts(nodeOf(sideOf(named), schema), value, reading)

/** The same schema as one document for another validator. */
export const asDocument = ({ schema, named = {} }: Version): unknown => ({
  allOf: [schema],
  components: { schemas: named },
})

export const ref = (name: string): Schema => ({ $ref: refTo(name) })

const rootOf = ({ schema, named = {} }: Version) => nodeOf(sideOf(named), schema)

const sideOf = (named: Readonly<Record<string, Schema>>) =>
  createSide(
    new Map(
      Object.entries(named).map(([name, schema]): [string, NamedSchema] => [
        name,
        { name, schema, usedBy: 'both', source: NOWHERE },
      ]),
    ),
  )

const NOWHERE = { locate: () => ({ file: 'none', line: 1, column: 1, pointer: '' }) }
