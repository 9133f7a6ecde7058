import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import type { DocumentedAnswer, DocumentedHttp, Pairing } from '../runtime/examples/documented.js'
import { isJson } from '../runtime/shared/media-type.js'
import { code, type Fragment, join, literal } from './file.js'
import { exampleName } from './msw-names.js'
import { shareValues } from './shared-values.js'

/** The documents' examples by operation, as the handlers look them up; what several hold stands before them, by a name. */
export function exampleData(api: Api, taken: Set<string>, type: Fragment): Fragment {
  const shown = api.operations.flatMap((operation) => {
    const examples = operation.kind === 'http' ? httpExamples(operation) : rpcExamples(operation)
    return examples === undefined ? [] : [{ operation, examples }]
  })
  const operations = shown.map(({ operation }): Operation => operation)
  const { shared, values } = shareValues(
    shown.map(({ examples }) => examples),
    exampleName(operations, api),
    taken,
  )
  const named = shared.map(
    ({ name, value }) => code`const ${name} = ${literal(value, name.length + 9)}`,
  )
  const rows = operations.map(
    ({ id }, at) => code`${id}: ${literal(values[at], id.length + 5, 2)},`,
  )
  const examples = code`const examples: ${type} = {
  ${join(rows)}
}`
  if (named.length === 0) return examples
  return code`// What several examples hold.

${join(named, '\n\n')}

${examples}`
}

/** The examples of an HTTP operation; `answers` are those of its responses. */
export function httpExamples(
  operation: HttpOperation,
  shown: readonly DocumentedAnswer[] = answers(operation),
): DocumentedHttp | undefined {
  const requests = (operation.body?.content ?? []).flatMap(({ examples }) => examples.map(named))
  const parameters = operation.parameters.flatMap(({ in: where, name, examples }) =>
    examples.length > 0 ? [[`${where}.${name}`, examples.map(named)] as const] : [],
  )
  const variants = operation.variants.flatMap(({ name, example }) =>
    example === undefined ? [] : [[name, example] as const],
  )
  if (requests.length + parameters.length + shown.length === 0) return undefined
  return {
    ...(requests.length > 0 && { requests }),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    answers: shown,
    ...(variants.length > 0 && { variants: Object.fromEntries(variants) }),
  }
}

export const answers = ({ responses }: HttpOperation): readonly DocumentedAnswer[] =>
  responses.flatMap(({ status, content }) =>
    content.flatMap(({ type, examples }) =>
      examples.map(({ name, value }) => ({
        status,
        name,
        ...(!isJson(type) && { type }),
        value,
      })),
    ),
  )

const named = ({ name, value }: { readonly name: string; readonly value: unknown }) => ({
  name,
  value,
})

function rpcExamples(operation: RpcOperation) {
  const shown = pairings(operation)
  return shown.length === 0 ? undefined : { pairings: shown }
}

export const pairings = ({ examples, paramStructure }: RpcOperation): readonly Pairing[] =>
  examples.flatMap(({ name, params, namedParams, outcome }): readonly Pairing[] => {
    const asked = { name, params: paramStructure === 'by-name' ? namedParams : params }
    if (outcome.kind === 'none') return []
    return outcome.kind === 'error'
      ? [{ ...asked, error: outcome.error }]
      : [{ ...asked, result: outcome.value }]
  })
