import type { Api, HttpOperation } from '../../model/api.js'
import type { MediaType } from '../../model/http-content.js'
import { httpOperations } from '../../model/operations.js'
import { typesIn } from '../../schema/schema.js'
import { goString } from '../../text/escape.js'
import { uniqueName } from '../../text/names.js'
import { comment } from './layout.js'
import {
  argumentText,
  clientText,
  commentOf,
  type GoArgument,
  type GoMethod,
  type GoMethods,
  goNamesOf,
  method,
} from './methods.js'
import { argumentName, exportedName } from './names.js'
import type { GoResults } from './results.js'
import { fieldText } from './type-forms.js'
import type { GoTypes, StructField } from './types.js'

/** `http_client.go`: a method for every operation. */
export const httpClient = (
  api: Api,
  types: GoTypes,
  resultsOf: (operation: HttpOperation) => GoResults,
  calls: GoMethods,
): string => {
  const operations = httpOperations(api)
  const names = goNamesOf(operations)
  const used = new Set(names.values())
  const methods = operations.flatMap((operation) => {
    const own: GoMethod[] = []
    calls.set(operation.id, own)
    const results = resultsOf(operation)
    return httpMethods(operation, names.get(operation.id) ?? '', { types, results, used, own })
  })
  return [clientText('HTTP', api.http?.title ?? api.title), ...methods].join('\n\n')
}

type Context = {
  readonly types: GoTypes
  readonly results: GoResults
  readonly used: Set<string>
  /** The methods so far. */
  readonly own: GoMethod[]
}

/** One way to call an operation: its body, and the result that follows from it. */
type Form = {
  readonly name: string
  readonly variant?: string
  readonly body?: BodyContent
  readonly result: string | undefined
}

type BodyContent = Pick<MediaType, 'type' | 'codec' | 'encoding' | 'schema'> & {
  readonly place: string
}

const httpMethods = (
  operation: HttpOperation,
  name: string,
  context: Context,
): readonly string[] => {
  const { types, results, used, own: calls } = context
  const values = parameterArguments(operation, name, types)
  return formsOf(operation, name, context).flatMap((form) => {
    const own = bodyArgument(operation, form, types, new Set(values.args.map((one) => one.name)))
    const args = [...values.args, ...own.args]
    const call = (more: readonly string[] = []) => {
      const members = [
        ...(values.list.length > 0 ? [`Values: []any{${values.list.join(', ')}}`] : []),
        ...own.members,
        ...more,
      ]
      return `ctx, c.calls, ${goString(operation.id)}, runtime.Input{${members.join(', ')}}, options`
    }
    const comments = commentOf(operation, form.name)
    const parameters = [
      'ctx context.Context',
      ...(args.length > 0 ? [argumentText(args)] : []),
      'options ...CallOption',
    ].join(', ')
    const returning = (result: string, text = form.name) =>
      `func (c *HTTPClient) ${text}(${parameters}) ${result}`
    const sequence = (suffix: string, kind: string, item: string, note: string) =>
      method([comments[0]?.replace(form.name, form.name + suffix) ?? '', note], {
        head: returning(`iter.Seq2[${item}, error]`, uniqueName(form.name + suffix, used)),
        body: `return runtime.${kind}[${item}](${call()})`,
      })
    const { result } = form
    const found: string[] = []
    const contentType = form.body?.type
    if (result !== undefined)
      calls.push({
        ...{ name: form.name, args, contentType },
        returns: result === '' ? 'nothing' : 'result',
      })
    if (result === '')
      found.push(
        method(comments, { head: returning('error'), body: `return runtime.Do(${call()})` }),
      )
    else if (result !== undefined)
      found.push(
        method(comments, {
          head: returning(`(${result}, error)`),
          body: `return runtime.Call[${result}](${call()})`,
        }),
      )
    if (results.item !== undefined && operation.variants.length === 0) {
      const isBeside = result !== undefined
      const text = isBeside ? uniqueName(`${form.name}Stream`, used) : form.name
      calls.push({ name: text, args, contentType, returns: 'stream' })
      const flag = isBeside && operation.streamDefault !== undefined ? own.stream : undefined
      found.push(
        method(
          [
            comments[0]?.replace(form.name, text) ?? '',
            'It yields items as they arrive; leaving the loop closes the connection.',
          ],
          {
            head: returning(`iter.Seq2[${results.item}, error]`, text),
            body: `${flag === undefined ? '' : `${flag}\n\t`}return runtime.Stream[${results.item}](${call(isBeside ? ['Streams: true'] : [])})`,
          },
        ),
      )
    }
    if (operation.poll !== undefined && result)
      found.push(
        sequence(
          'Poll',
          'Poll',
          result,
          'It repeats the call until the record is final: each changed record, and the final one last.',
        ),
      )
    if (operation.pages !== undefined && result) {
      found.push(
        sequence(
          'Pages',
          'PagesOf',
          result,
          'It yields the response of each page, from the page of these arguments on.',
        ),
      )
      found.push(
        sequence(
          'Items',
          'ItemsOf',
          results.pageItem ?? 'any',
          'It yields each item of all pages.',
        ),
      )
    }
    return found
  })
}

/** A method for each variant, or for each media type of the body. */
const formsOf = (
  operation: HttpOperation,
  name: string,
  { results, used }: Context,
): readonly Form[] => {
  const { body, variants, id } = operation
  const contents = (body?.content ?? []).map(
    (content, at): BodyContent => ({ ...content, place: `/http/${id}/body/content/${at}/schema` }),
  )
  const [first] = contents
  if (variants.length > 0 && first !== undefined)
    return variants.map((variant) => ({
      name: uniqueName(name + exportedName(variant.name), used),
      variant: variant.name,
      body: {
        ...first,
        schema: { $ref: `#/components/schemas/${variant.request}` },
        place: `/schemas/${variant.request}`,
      },
      result: results.variants.get(variant.name) ?? 'any',
    }))
  const preferred = contents.find(({ codec }) => codec === 'json') ?? first
  if (preferred === undefined) return [{ name, result: results.result }]
  return [preferred, ...contents.filter((one) => one !== preferred)].map((content) => ({
    name: content === preferred ? name : uniqueName(`${name}As${kindName(content)}`, used),
    body: content,
    result: results.result,
  }))
}

const kindName = ({ type, codec }: BodyContent): string =>
  ({ json: 'JSON', form: 'Form', multipart: 'Multipart', text: 'Text' })[codec as string] ??
  exportedName(type.replace(/^.*\//, ''))

/** The arguments for parameters: those of the path by position, all others in a struct. `list` has a value for each parameter. */
const parameterArguments = (operation: HttpOperation, name: string, types: GoTypes) => {
  const used = new Set<string>()
  const fields: StructField[] = []
  const fieldNames = new Set<string>()
  const list: string[] = []
  const args: GoArgument[] = []
  operation.parameters.forEach((parameter, at) => {
    if (parameter.secret) {
      list.push('nil')
      return
    }
    const { schema, required, description } = parameter
    const own = exportedName(parameter.name)
    const type = types.typeOf(
      { schema, place: `/http/${operation.id}/parameters/${at}/schema` },
      name + own,
    )
    if (parameter.in === 'path') {
      const argument = uniqueName(argumentName(parameter.name), used)
      args.push({
        name: argument,
        type: fieldText({ ...type, nullable: false }, true),
        slot: `path.${parameter.name}`,
      })
      list.push(argument)
      return
    }
    const isNeeded =
      required && !(parameter.in === 'header' && parameter.name === operation.idempotencyKey)
    const field = uniqueName(
      fieldNames.has(own) ? own + exportedName(parameter.in) : own,
      fieldNames,
    )
    fields.push({
      name: field,
      type: fieldText({ ...type, nullable: false }, isNeeded),
      comment: comment([description]),
      slot: `${parameter.in}.${parameter.name}`,
      isRequired: isNeeded,
    })
    list.push(`params.${field}`)
  })
  if (fields.length > 0) {
    const struct = types.name(`${name}Params`)
    types.struct(struct, fields, `${struct} are the parameters of ${name} besides its path.`)
    args.push({ name: 'params', type: struct, slot: 'params' })
  }
  return { args, list }
}

const bodyArgument = (
  operation: HttpOperation,
  form: Form,
  types: GoTypes,
  used: ReadonlySet<string>,
) => {
  const { body: content } = form
  const { body } = operation
  if (body === undefined || content === undefined)
    return { args: [], members: [], stream: undefined }
  const type = bodyType(content, types, form.name)
  const name = used.has('body') ? 'body_' : 'body'
  const isMany = body.content.length > 1 && !content.type.includes('*')
  return {
    args: [
      {
        name,
        type: fieldText({ ...type, nullable: body.required && type.nullable }, body.required),
        slot: 'body',
      },
    ],
    members: [
      `Body: ${name}`,
      ...(isMany ? [`ContentType: ${goString(content.type)}`] : []),
      ...(form.variant === undefined ? [] : [`Variant: ${goString(form.variant)}`]),
    ],
    stream: streamFlag(content, types, body.required),
  }
}

/** Sets the property `stream` of a body. */
const streamFlag = (
  content: BodyContent,
  types: GoTypes,
  required: boolean,
): string | undefined => {
  const property = types.properties(content)?.find(({ name }) => name === 'stream')
  if (property === undefined || !required) return undefined
  const type = fieldText(types.typeOf(property, 'Stream'), property.required)
  return {
    bool: 'body.Stream = true',
    '*bool': 'body.Stream = new(true)',
    'Null[bool]': 'body.Stream = NullOf(true)',
  }[type]
}

const READER = { text: 'io.Reader', holds: 'nil', nullable: false, isDeclared: false } as const

const bodyType = (content: BodyContent, types: GoTypes, name: string) => {
  const { codec, encoding = {} } = content
  if (codec === 'parts') return { ...READER, text: '[]any' }
  if (codec === 'text') return { ...READER, text: 'string', holds: 'value' } as const
  if (codec === 'any') return { ...READER, text: 'any', nullable: true }
  if (codec === 'bytes' || codec === 'events') return READER
  const properties = types.properties(content)
  const hasFiles = Object.values(encoding).some(({ isFile }) => isFile)
  if ((codec === 'form' || codec === 'multipart') && hasFiles && properties !== undefined) {
    const fieldNames = new Set<string>()
    const struct = types.name(`${name}Form`)
    const fields = properties.map((property): StructField => {
      const own = uniqueName(exportedName(property.name), fieldNames)
      const isList =
        typeof property.schema === 'object' && typesIn(property.schema)?.includes('array')
      const type =
        encoding[property.name]?.isFile === true
          ? isList
            ? '[]io.Reader'
            : 'io.Reader'
          : fieldText(types.typeOf(property, struct + own), property.required)
      return {
        name: own,
        type,
        tag: `\`json:"${property.name}${property.required ? '' : ',omitzero'}"\``,
        comment: '',
        slot: property.name,
        isRequired: property.required,
      }
    })
    return types.struct(
      struct,
      fields,
      `${struct} is the form that ${name} sends. A file is an io.Reader: an *os.File, or a File with its name and type.`,
    )
  }
  const type = types.typeOf(content, `${name}Body`)
  return (codec === 'form' || codec === 'multipart') && type.text === 'any'
    ? { ...READER, text: 'map[string]any' }
    : type
}
