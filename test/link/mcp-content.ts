/** What the conformance suites of MCP expect of the tools, resources and prompts of a server, for both revisions. */

export const text = (value: string) => ({ type: 'text' as const, text: value })

/** A picture of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }

const resource = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
})

/** Tools that only return content. */
export const CONTENT: Readonly<Record<string, readonly object[]>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
}

const JSON_SCHEMA_TOOL = {
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'address',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
    if: { required: ['address'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ['name'] },
    else: { maxProperties: 1 },
    additionalProperties: false,
  },
}

export const toolsOf = (names: readonly string[]) => [
  ...names.map((name) => ({
    name,
    description: `The tool ${name}`,
    inputSchema: { type: 'object' },
  })),
  JSON_SCHEMA_TOOL,
]

export const RESOURCES = [
  'test://static-text',
  'test://static-binary',
  'test://watched-resource',
].map((uri) => ({ uri, name: uri, description: `The resource ${uri}` }))

export const TEMPLATES = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'A template' },
]

/** The contents of a resource; undefined if there is none. */
export const contentsOf = (uri: string): readonly object[] | undefined => {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? []
  if (id !== undefined) {
    const value = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return [{ uri, mimeType: 'application/json', text: value }]
  }
  if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: PNG }]
  return uri === 'test://static-text'
    ? [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }]
    : undefined
}

const argumentsOf = (...names: readonly string[]) =>
  names.map((name) => ({ name, description: `The argument ${name}`, required: true }))

export const PROMPTS = [
  { name: 'test_simple_prompt', description: 'A simple prompt' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with arguments',
    arguments: argumentsOf('arg1', 'arg2'),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource',
    arguments: argumentsOf('resourceUri'),
  },
  { name: 'test_prompt_with_image', description: 'A prompt with an image' },
]

/** The messages of a prompt; undefined if there is none. */
export const messagesOf = (
  name: string,
  args: Readonly<Record<string, string>> = {},
): readonly object[] | undefined => {
  const user = (...all: readonly object[]) => all.map((content) => ({ role: 'user', content }))
  switch (name) {
    case 'test_simple_prompt':
      return user(text('This is a simple prompt for testing.'))
    case 'test_prompt_with_arguments':
      return user(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`))
    case 'test_prompt_with_embedded_resource':
      return user(
        resource(args.resourceUri ?? '', 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      )
    case 'test_prompt_with_image':
      return user(image, text('Please analyze the image above.'))
    default:
      return undefined
  }
}
