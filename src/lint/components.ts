import type { HttpDocument, JsonObject, RpcDocument } from '../model/api.js'
import { entriesOf, isObject } from '../model/json.js'
import { joinPointer, segmentsOf } from '../model/pointer.js'
import type { Said } from '../model/rule.js'
import type { Rule } from './rule.js'
import type { Survey } from './survey.js'

/** What a document declares for others of its parts to refer to. */
export const COMPONENT_RULES: readonly Rule[] = [
  {
    id: 'component-is-unused',
    level: 'warning',
    purpose: 'What nothing refers to is read by people and kept by nobody.',
    find: unused,
  },
]

function* unused(survey: Survey): Generator<Said> {
  for (const document of survey.documents) {
    const used = reached(document, survey)
    for (const [section, members] of entriesOf(document.bundled.components)) {
      for (const name of Object.keys(isObject(members) ? members : {})) {
        if (used.has(joinPointer('#', 'components', section, name))) continue
        const location = document.sourceOf(members as object).locate(name)
        // What bundling named was written in another place, and is no component there.
        if (segmentsOf(location.pointer).at(-1) !== name) continue
        yield {
          location,
          message: `nothing refers to ${name} of the ${section}: use it or take it out`,
        }
      }
    }
  }
  for (const { name, source } of survey.api.leftovers) {
    yield {
      location: source.locate(),
      message: `nothing refers to ${name} of this file: use it or take it out`,
    }
  }
}

/** The references that can be come by from what is called; a component that only itself refers to is none. */
function reached(document: HttpDocument | RpcDocument, { written }: Survey): ReadonlySet<string> {
  const { components, ...called } = document.bundled
  const sections = isObject(components) ? components : {}
  const used = new Set<string>(securityNames(document, { written }))
  const waiting: unknown[] = [called]
  const use = (ref: string) => {
    if (used.has(ref)) return
    used.add(ref)
    waiting.push(targetOf(ref, sections))
  }
  for (const ref of used) waiting.push(targetOf(ref, sections))
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one === 'string' && one.startsWith('#/components/')) use(one)
    if (typeof one !== 'object' || one === null) continue
    for (const member of Object.values(one)) {
      if (typeof member === 'object' || typeof member === 'string') waiting.push(member)
    }
  }
  return used
}

function targetOf(ref: string, sections: JsonObject): unknown {
  const [section = '', name = ''] = segmentsOf(ref.slice('#/components/'.length))
  const members = sections[section]
  return isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined
}

/** Security schemes are referred to by their bare names. */
function securityNames(
  document: HttpDocument | RpcDocument,
  { written }: Pick<Survey, 'written'>,
): readonly string[] {
  return written.flatMap(({ node, document: own }) =>
    own === document && Array.isArray(node.security)
      ? node.security
          .filter(isObject)
          .flatMap(Object.keys)
          .map((name) => joinPointer('#', 'components', 'securitySchemes', name))
      : [],
  )
}
