import { validator } from '@acme/zkt/runtime/validate'

export const use = () => {
  const Tree = validator(() => ({
    type: 'object',
    properties: { left: Tree, right: Tree, name: { type: 'string', pattern: '^\\p{Lu}' } },
    additionalProperties: false,
  }))
  const faults = Tree.explain({ left: { right: { name: 'é' } } })
  return [Tree.check({ left: { name: 'Été' } }), faults.map(({ pointer }) => pointer)]
}
