import type { FaultParams, SchemaKeywords, ValidatorSchema } from '../validate.js'
import { complain, type Explain } from './complaint.js'
import { holdsOf } from './holds.js'
import { keywordsOf } from './schema-source.js'
import { list, nameTypes, property, quote } from './wording.js'

export const explainNot = ({ not }: SchemaKeywords): readonly Explain[] => {
  if (not === undefined) return []
  const holds = holdsOf(not, 'strict')
  return [
    (value, place, out) => {
      if (holds(value)) complain(out, { place, keyword: 'not', ...needNot(not, value) })
    },
  ]
}

/** What a `not` forbids, where it is one of the few things that people write; else its title. */
const needNot = (schema: ValidatorSchema, value: unknown): Need => {
  const keywords = keywordsOf(schema)
  if (keywords === undefined) return { need: 'not be here' }
  if (keywords.title !== undefined) return { need: `not be ${keywords.title}` }
  const used = Object.keys(keywords)
  if (used.length === 0) return { need: 'not be here' }
  const branch = keywords.anyOf?.find((each) => holdsOf(each, 'strict')(value))
  if (used.length === 1 && branch !== undefined) return needNot(branch, value)
  const { type, required = [] } = keywords
  if (required.length === 1 && used.every((key) => key === 'required' || key === 'type')) {
    const [name = ''] = required
    return { need: `not have the property ${property(name)}`, params: { property: name } }
  }
  if (required.length > 1 && used.length === 1) {
    return { need: `not have the properties ${list(required.map(property), 'and')} together` }
  }
  if ('const' in keywords || keywords.enum) return { need: `not be ${quote(value)}` }
  if (type !== undefined && used.length === 1) {
    return { need: `not be ${nameTypes(typeof type === 'string' ? [type] : type)}` }
  }
  return { need: 'not match what `not` describes' }
}

type Need = { readonly need: string; readonly params?: FaultParams }
