import { string } from '../../emit/file.js'
import type { Api, HttpOperation, Variant } from '../../model/api.js'
import { markdownCode } from '../../model/escape.js'
import { uniqueName } from '../../model/names.js'
import { bodyExamples, httpArgs, memberOf, written } from './calls.js'
import { publicFirst } from './choose.js'
import { indented } from './clients.js'
import { optionsOf } from './place.js'
import { importing, section, snippet } from './section.js'

/** That the variant of a request decides the type of its answer, by two variants of one operation. */
export const variants = (api: Api, name: string): readonly string[] => {
  const operations = api.operations.filter((one) => one.kind === 'http').sort(publicFirst)
  for (const operation of operations) {
    const shown = operation.variants.flatMap((variant) => {
      const example = bodyExamples(operation).find((one) => one.name === variant.example)
      const args = example && httpArgs(operation, example)
      return args === undefined ? [] : [{ variant, args }]
    })
    if (shown.length < 2) continue
    return [variantSection(api, name, operation, shown)]
  }
  return []
}

const variantSection = (
  api: Api,
  name: string,
  operation: HttpOperation,
  shown: readonly { readonly variant: Variant; readonly args: string }[],
): string => {
  const taken = new Set<string>()
  const names = shown.slice(0, 2).map(({ variant }) => uniqueName(variableOf(variant.name), taken))
  const calls = shown.slice(0, 2).map(({ variant, args }, index) => {
    const answers = variant.responses.map((one) => `Schemas[${string(one)}]`).join(' | ')
    return `const ${names[index]}: ${answers} = await http.${operation.id}(${args})`
  })
  return section(
    'The variant of a request decides its answer',
    `${markdownCode(`${operation.method} ${operation.path}`)} takes ${operation.variants.length} variants: ${operation.variants.map((one) => markdownCode(one.name)).join(', ')}. A mixture of two does not compile.`,
    snippet(
      importing('createHttpClient', `${name}/http`),
      `import type { components } from '${name}/http.types'`,
      '',
      `type Schemas = components['schemas']`,
      `const http = createHttpClient(${optionsOf(api, 'http', [operation])})`,
      ...calls,
      `console.log(${names.join(', ')})`,
    ),
  )
}

/** With `Answer` at its end it is no reserved word, and with `_` before a digit it is an identifier. */
const variableOf = (variant: string): string =>
  `${variant.replace(/^(?=\d)/, '_').replace(/\W+(\w)?/g, (_, next: string = '') => next.toUpperCase())}Answer`

/** Asking again until something is done, after what a link says leads there. */
export const polling = (api: Api, name: string): readonly string[] => {
  const polled = api.operations.find((one) => one.kind === 'http' && one.poll !== undefined)
  if (polled?.kind !== 'http' || !polled.poll) return []
  const { field, terminal } = polled.poll
  const lead = leadTo(api, polled)
  const client = (operations: readonly HttpOperation[]) =>
    `const http = createHttpClient(${optionsOf(api, 'http', operations)})`
  const loop = (args: string) => [
    `for await (const record of http.${polled.id}.poll(${args})) {`,
    `  console.log(record${memberOf(field)})`,
    '}',
  ]
  const text = `Yields the record whenever it has changed, and ends once ${markdownCode(field)} is ${listed(terminal)}.`
  if (!lead) {
    const args = httpArgs(polled)
    if (args === undefined) return []
    const lines = [
      importing('createHttpClient', `${name}/http`),
      '',
      client([polled]),
      ...loop(args),
    ]
    return [section('Waiting until something is done', text, snippet(...lines))]
  }
  const { operation, args, property, parameter } = lead
  const given = written({ [parameter.in]: { [parameter.name]: HOLE } }).replace(
    string(HOLE),
    `answer.${property}`,
  )
  return [
    section(
      'Waiting until something is done',
      text,
      snippet(
        importing('createHttpClient', `${name}/http`),
        '',
        client([operation, polled]),
        `const answer = await http.${operation.id}(${args})`,
        `if ('${property}' in answer && answer.${property} !== undefined) {`,
        ...loop(given).map(indented),
        '}',
      ),
    ),
  ]
}

const HOLE = 'the value goes here'

/** An operation whose answer has, at its top, all that the polled one asks for. */
const leadTo = (api: Api, polled: HttpOperation) => {
  const [parameter, ...others] = polled.parameters.filter(
    ({ required, secret }) => required && !secret,
  )
  if (!parameter || others.length > 0) return undefined
  for (const operation of api.operations.filter((one) => one.kind === 'http').sort(publicFirst)) {
    for (const link of operation.links) {
      const property = /^\$response\.body#\/([A-Za-z_$][\w$]*)$/.exec(
        String(link.parameters[parameter.name] ?? ''),
      )?.[1]
      if (link.operation !== polled.id || property === undefined) continue
      const variant = operation.variants[0]
      const example = bodyExamples(operation).find((one) => one.name === variant?.example)
      const args = httpArgs(operation, example)
      if (args !== undefined) return { operation, args, property, parameter }
    }
  }
  return undefined
}

const listed = (values: readonly string[]): string =>
  values.map((one) => markdownCode(one)).join(' or ')
