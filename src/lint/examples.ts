import type { Api } from '../model/api.js'
import type { FindingDetails } from '../model/finding.js'
import type { MediaType } from '../model/http-content.js'
import { nameOf } from '../model/operation-name.js'
import { ordinaryAmong } from '../runtime/examples/documented.js'
import { holdsValue } from '../runtime/shared/codecs.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import type { Fault } from '../runtime/validate/validator.js'
import { referredName, type Schema } from '../schema/schema.js'
import { holdsUnread } from '../schema/source.js'
import { isMessageSchema, type LintRule, type Survey } from './survey.js'

/** Examples are the only fixtures: the mock server sends them, conform replays them, the reference prints them. */
export const LINT_EXAMPLE_RULES: readonly LintRule[] = [
  {
    id: 'request-has-no-example',
    level: 'warning',
    purpose: 'Callers and testing tools start from an example of the request body.',
    find: (survey) => bodies(survey),
  },
  {
    id: 'response-has-no-example',
    level: 'warning',
    purpose: 'The mock server returns the example; without one, it generates a value.',
    find: (survey) => responsesWithoutExample(survey, 'success'),
  },
  {
    id: 'error-has-no-example',
    level: 'warning',
    purpose:
      'Callers write error handling from examples, because they rarely see the error itself.',
    find: errors,
  },
  {
    id: 'method-has-no-example',
    level: 'warning',
    purpose:
      'An example pairing shows which params to send by position and which result is returned.',
    find: methods,
  },
  {
    id: 'variant-without-example',
    level: 'warning',
    purpose:
      'The mock server and the conformance checker identify a variant of a request by its example.',
    find: variants,
  },
  {
    id: 'schema-example-invalid',
    level: 'warning',
    purpose: 'Readers copy the example of a schema, so it must be valid.',
    find: schemaExamples,
  },
  {
    id: 'default-invalid',
    level: 'warning',
    purpose: 'A default replaces an omitted value, so it must be a value that callers could send.',
    find: defaults,
  },
]

function* bodies({ api, http }: Survey): Generator<FindingDetails> {
  for (const operation of http) {
    const { body } = operation
    const media = unshown(body?.content ?? [], api)
    if (media) {
      yield {
        location: media.source.locate(),
        message: `the request of ${nameOf(operation)} has no example: add one under example or examples`,
      }
    }
  }
}

function* responsesWithoutExample(
  { api, http }: Survey,
  wanted: 'success' | 'error',
): Generator<FindingDetails> {
  for (const { responses } of http) {
    const ordinary = ordinaryAmong(responses.map(({ status }) => status))
    for (const { status, content } of responses) {
      if (kindOf(status, ordinary) !== wanted) continue
      const media = unshown(content, api)
      if (!media) continue
      yield {
        location: media.source.locate(),
        message: `the response ${status} has no example: add one under example or examples`,
      }
    }
  }
}

/** A default is the success of an operation that declares no 2xx response, and is an error beside one. */
function kindOf(status: string, ordinary: readonly string[]): 'success' | 'error' | undefined {
  if (/^[45]/.test(status)) return 'error'
  if (ordinary.includes(status)) return 'success'
  return status === 'default' ? 'error' : undefined
}

/** A body with several media types needs only one example. */
function unshown(content: readonly MediaType[], api: Api): MediaType | undefined {
  const json = content.filter(({ codec }) => holdsValue(codec))
  const isShown = json.some(
    ({ examples, schema }) => examples.length > 0 || hasExample(schema, api),
  )
  return isShown ? undefined : json[0]
}

function hasExample(schema: Schema, { schemas }: Api): boolean {
  const named = schemas.get(referredName(schema) ?? '')?.schema ?? schema
  return typeof named === 'object' && (named.examples?.length ?? 0) > 0
}

/** An error of methods has an example if any method of the document has one with its code. */
function* errors(survey: Survey): Generator<FindingDetails> {
  yield* responsesWithoutExample(survey, 'error')
  const shown = new Set(
    survey.rpc.flatMap(({ examples }) =>
      examples.flatMap(({ outcome }) => (outcome.kind === 'error' ? [outcome.error.code] : [])),
    ),
  )
  for (const { code, message, source } of survey.rpc.flatMap(({ errors }) => errors)) {
    if (shown.has(code)) continue
    shown.add(code)
    yield {
      location: source.locate(),
      message: `no example shows the error ${code} (${message}): add a pairing with x-error to a method that returns it`,
    }
  }
}

function* methods({ api, rpc }: Survey): Generator<FindingDetails> {
  if (api.rpc && isMessageSchema(api.rpc)) return
  for (const { method, examples, source } of rpc) {
    if (examples.length > 0) continue
    yield {
      location: source.locate(),
      message: `${method} has no example: add a pairing of params and result under examples`,
    }
  }
}

function* variants({ http }: Survey): Generator<FindingDetails> {
  for (const operation of http) {
    const { variants, source } = operation
    for (const { name, example } of variants) {
      if (example !== undefined) continue
      yield {
        location: source.locate('x-variants', name),
        message: `the variant ${name} of ${nameOf(operation)} has no example: name one of the request's examples`,
      }
    }
  }
}

function* schemaExamples(survey: Survey): Generator<FindingDetails> {
  for (const { schema, source } of survey.schemas) {
    for (const [index, value] of (schema.examples ?? []).entries()) {
      const fault = faultOf(value, schema, survey)
      if (!fault) continue
      const within = segmentsOf(fault.pointer)
      const list = source.locate('examples', index, ...within)
      const location = list.pointer.includes('/examples')
        ? list
        : source.locate('example', ...within)
      yield { location, message: `the example${placed(fault.pointer)} ${fault.message}` }
    }
  }
}

function* defaults(survey: Survey): Generator<FindingDetails> {
  for (const { schema, source } of survey.schemas) {
    if (schema.default === undefined) continue
    const fault = faultOf(schema.default, schema, survey)
    if (!fault) continue
    yield {
      location: source.locate('default', ...segmentsOf(fault.pointer)),
      message: `the default${placed(fault.pointer)} ${fault.message}`,
    }
  }
}

/** Why a schema rejects a value. One of two branches that it fits may be a part that was not read. */
function faultOf(value: unknown, schema: Schema, { checker, api }: Survey): Fault | undefined {
  const [fault] = checker.schema(schema).explain(value)
  return fault?.isAmbiguous && holdsUnread([schema], api.schemas) ? undefined : fault
}

const placed = (pointer: string) => (pointer === '' ? '' : ` at ${pointer}`)
