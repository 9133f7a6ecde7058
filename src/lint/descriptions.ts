import type { Api } from '../model/api.js'
import type { FindingDetails } from '../model/finding.js'
import { referredName, type Schema } from '../schema/schema.js'
import { type LintRule, operationIdOf, type Survey } from './survey.js'

/** Rules for summaries and descriptions. */
export const DESCRIPTION_RULES: readonly LintRule[] = [
  {
    id: 'document-has-no-description',
    level: 'note',
    purpose: 'The generated reference begins with the description of the document.',
    find: documents,
  },
  {
    id: 'operation-has-no-description',
    level: 'warning',
    purpose: 'Callers cannot tell from the name alone what an operation does.',
    find: operations,
  },
  {
    id: 'operation-has-no-id',
    level: 'warning',
    purpose: 'Without an operationId, the name of the operation in clients changes with the path.',
    find: unnamed,
  },
  {
    id: 'parameter-has-no-description',
    level: 'note',
    purpose: 'A type does not explain the purpose of a parameter.',
    find: parameters,
  },
  {
    id: 'schema-has-no-description',
    level: 'note',
    purpose:
      'A named schema is a term of the service, and the reference needs a description of it.',
    find: schemas,
  },
]

function* documents({ documents: all }: Survey): Generator<FindingDetails> {
  for (const { description, source } of all) {
    if (description !== undefined && description.trim() !== '') continue
    yield {
      location: source.locate('info'),
      message: 'the document does not describe the service: add info.description',
    }
  }
}

function* operations({ everyOperation }: Survey): Generator<FindingDetails> {
  for (const operation of everyOperation) {
    const { summary, description, source } = operation
    if (isPresent(summary) || isPresent(description)) continue
    const name = operation.kind === 'rpc' ? operation.method : operation.id
    yield {
      location: source.locate(),
      message: `${name} has no summary and no description: add one`,
    }
  }
}

/** Webhooks and callbacks have names of their own. */
function* unnamed({ api, http }: Survey): Generator<FindingDetails> {
  for (const operation of http) {
    if (operationIdOf(operation, api) !== undefined) continue
    yield {
      location: operation.source.locate(),
      message:
        'the operation has no operationId, so its name is made of its method and path: give it one',
    }
  }
}

function* parameters({ api, everyOperation }: Survey): Generator<FindingDetails> {
  for (const operation of everyOperation) {
    const all = operation.kind === 'rpc' ? operation.params : operation.parameters
    for (const parameter of all) {
      const { name, description, schema, source } = parameter
      const summary = 'summary' in parameter ? parameter.summary : undefined
      if (isPresent(description) || isPresent(summary) || isDescribed(schema, api)) continue
      yield {
        location: source.locate(),
        message: `${name} has no description: add one`,
      }
    }
  }
}

function* schemas({ api }: Survey): Generator<FindingDetails> {
  for (const { name, schema, source } of api.schemas.values()) {
    if (isDescribed(schema, api)) continue
    yield {
      location: source.locate(),
      message: `${name} has no description: add one`,
    }
  }
}

function isDescribed(schema: Schema, { schemas: named }: Api): boolean {
  const target = named.get(referredName(schema) ?? '')?.schema ?? true
  return [schema, target].some(
    (one) => typeof one === 'object' && (isPresent(one.description) || isPresent(one.title)),
  )
}

const isPresent = (text: string | undefined) => text !== undefined && text.trim() !== ''
