import type { Api } from '../../../../src/model/api.js'
import { open } from '../../../../src/runtime/validate.js'
import { referredName, type Schema } from '../../../../src/schema/schema.js'
import { draftOf } from './draft.js'
import { jsonForm } from './json-form.js'
import { mutate } from './mutate.js'
import { ajvOf, typeboxOf } from './peers.js'
import { createRandom, pick } from './random.js'
import { type Subject, subjectsOf } from './subjects.js'

/** How a verdict differs from another, with enough to see it again. */
export type Difference = {
  readonly from: 'the run-time checker' | 'its open reading' | Library
  readonly subject: string
  readonly value: unknown
  readonly written: boolean
}

export type Library = 'ajv' | 'typebox'

export type Comparison = {
  readonly values: number
  readonly accepted: number
  readonly askedOfLibraries: number
  /** Verdicts that a library would not give. */
  readonly unanswered: number
  readonly differences: readonly Difference[]
}

/** Holds generated values against written checks and all who know better, `share` of the schemas of a document. */
export async function compareVerdicts(
  api: Api,
  options: {
    readonly values: number
    readonly seed: number
    readonly schemas?: number
    readonly isExcepted: (difference: Difference, schema: Schema) => boolean
    readonly report: (answer: string) => void
  },
): Promise<Comparison> {
  const { list, plain } = await subjectsOf(api)
  const { values, seed, schemas = list.length, isExcepted, report } = options
  const subjects = spread(list, schemas)
  const [ajv, typebox] = [ajvOf(plain), typeboxOf(plain)]
  const random = createRandom(seed)
  const resolve = (schema: Schema): Schema => {
    const name = referredName(schema)
    return name === undefined ? schema : resolve(plain.get(name) ?? true)
  }
  // To make a value costs more than to check it: it is changed some times before another is made.
  let drafts: unknown[] = []
  const elsewhere: unknown[] = [null]
  const sum = { values: 0, accepted: 0, askedOfLibraries: 0, unanswered: 0 }
  const differences: Difference[] = []
  for (const [at, { name, schema, written, interpreted }] of subjects.entries()) {
    const openly = open(interpreted)
    const libraries = [['ajv', ajv(schema)] as const, ['typebox', typebox(schema)] as const]
    const due = Math.ceil((values * (at + 1)) / subjects.length)
    drafts = Array.from({ length: Math.min(DRAFTS, due - sum.values) }, () =>
      draftOf(schema, resolve, random),
    )
    elsewhere[at % KEPT] = drafts[0]
    for (; sum.values < due; sum.values++) {
      const value = mutants(pick(random, drafts), sum.values % MUTATIONS.length)
      const verdict = written.check(value)
      if (verdict) sum.accepted++
      const differ = (from: Difference['from']) => {
        const difference = { from, subject: name, value, written: verdict }
        if (!isExcepted(difference, schema)) differences.push(difference)
      }
      if (verdict !== interpreted.check(value)) differ('the run-time checker')
      const isOpen = (written.open ?? written.check)(value)
      if (isOpen !== openly.check(value)) differ('its open reading')
      const form = jsonForm(value)
      if (form === undefined) continue
      sum.askedOfLibraries++
      for (const [library, check] of libraries) {
        const answer = check(form.value)
        if (answer === undefined) sum.unanswered++
        else if (answer !== verdict) differ(library)
      }
    }
    if (at % Math.ceil(subjects.length / 20) === 0) report(`${sum.values} of ${values} values`)
  }
  return { ...sum, differences }

  function mutants(value: unknown, at: number): unknown {
    let mutant = value
    for (let left = MUTATIONS[at] ?? 0; left > 0; left--) {
      mutant = mutate(mutant, random, () => pick(random, elsewhere))
    }
    return mutant
  }
}

/** How often a value is changed: as it was made, nearly so, or beyond recognition. */
const MUTATIONS = [0, 1, 1, 1, 1, 2, 3, 8]

/** Values of a schema that are made of nothing, and values of others that are kept to stand in the wrong place. */
const DRAFTS = 60
const KEPT = 200

const spread = (list: readonly Subject[], count: number): readonly Subject[] =>
  list.filter(
    (_, at) =>
      Math.floor((at * count) / list.length) !== Math.floor(((at - 1) * count) / list.length),
  )
