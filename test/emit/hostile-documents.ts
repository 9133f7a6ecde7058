/** Sets a global that nothing else sets: code of a document that ran would be seen by it. */
const RUN = `Reflect.set(globalThis,'HOSTILE',1)`

/** Texts, each hostile for one kind of reader, or for several. `canary` is a command that nothing may run. */
export const PAYLOADS: Readonly<Record<string, string>> = {
  comment: `*/;${RUN};/*`,
  lineComment: `x\n${RUN}\r${RUN}\u2028${RUN}\u2029${RUN}`,
  single: `';${RUN};'`,
  double: `";Reflect.set(globalThis,"HOSTILE",1);"`,
  template: `\`;${RUN};\` \${${RUN}}`,
  backslash: `\\';${RUN};//\\`,
  expression: `/;${RUN};/`,
  // Long enough to be written between backticks, by what it repeats.
  runs: `\`\${${RUN}}${'a'.repeat(90)}\`\${${RUN}}`,
  script: `<script>${RUN}</script>`,
  element: `"'><img src=x onerror="${RUN}"><svg onload=${RUN}>`,
  closing: `</code></pre></details></script><script>${RUN}</script>`,
  markdown: `[words](javascript:${RUN}) **b** _i_ \`c\` | # h @octocat &lt; ~s~`,
  fence: `\`\`\`\n<script>${RUN}</script>\n\`\`\`\n~~~ <script>${RUN}</script>`,
  span: `one \` line\nand \` <script>${RUN}</script> \``,
  substitution: `$(canary) \`canary\` \${X:-$(canary)} $HOME`,
  quotes: `'; canary; ' "; canary; " && canary | canary & !!`,
  file: '@/etc/hostname',
  redirect: '</etc/hostname',
  globs: '{a,b}[1-3]{}(canary)',
  yaml: `: - {a: [b]} # &x *x !!js/function "`,
  annotation: '%0A::error::x\n::set-output name=x::y\n##[error]x',
  terminal: '\u001b[2J\u009b31m\u202e\u061cabc\u2066\u0007\u0000\u007f\tx',
  separators: 'x\u2028\u001b[2J\u2029\u009b31m\u2028*/',
  forgedLine: 'x\nno changes: safe to release\n\u001b[2Jno findings\n',
  docComment: '/** gone */ x',
  brackets: '{\n; a }; b',
  emphasis: '__x__',
  half: 'half \ud800 of a pair',
  prototype: '__proto__',
  inherited: 'constructor',
}

/** All that is said of the end of an operation. */
const ending = (text: string) => ({
  deprecated: true,
  'x-deprecated-at': text,
  'x-sunset': text,
  'x-replaced-by': text,
})

/** Everything of a document that is text, with these payloads: an operation, a schema and an example for each. */
export const hostileOpenapi = (): object => ({
  openapi: '3.1.0',
  info: {
    title: ALL,
    version: ALL,
    description: ALL,
    summary: ALL,
    contact: { name: ALL },
    license: { name: ALL },
  },
  servers: [
    {
      url: 'https://api.example/{v}/$(canary)/`canary`/"canary"/{}(canary)/{日本}/{$(canary)}',
      description: ALL,
      'x-name': ALL,
      variables: { v: { default: PAYLOADS.quotes, description: ALL, enum: [PAYLOADS.quotes] } },
    },
  ],
  tags: [{ name: ALL, description: ALL }],
  security: [],
  paths: Object.fromEntries(
    each((text, name, at) => [
      `/p${at}/${text}/{id}/{}(canary)`,
      {
        post: {
          operationId: text,
          summary: text,
          description: `${text}\n\n${text}`,
          tags: [ALL, text],
          ...ending(text),
          'x-not-shown': text,
          'x-assumption': text,
          'x-poll': { field: `order-state ${PAYLOADS.fence}${text}`, terminal: [text] },
          parameters: [
            ...['query', 'path', 'cookie'].map((place) => ({
              name: place === 'path' ? 'id' : `${place}${text}`,
              in: place,
              required: true,
              description: text,
              schema: { type: 'string', default: text, enum: [text] },
              examples: { [text]: { summary: text, value: text } },
            })),
            {
              name: HEADER,
              in: 'header',
              required: true,
              schema: { type: 'string' },
              example: text,
            },
          ],
          requestBody: {
            required: true,
            description: text,
            content: bodyOf(name, text),
          },
          responses: {
            200: {
              description: text,
              headers: { [HEADER]: { description: text, schema: { type: 'string' } } },
              content: {
                'application/json': {
                  schema: { $ref: `#/components/schemas/s${at}` },
                  examples: { [text]: { summary: text, value: shown(text) } },
                },
              },
              links: { [text]: { operationId: text, parameters: { id: text }, description: text } },
            },
            default: {
              description: text,
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/__Meta__' } },
              },
            },
          },
          callbacks: {
            [text]: { [text]: { post: { responses: { 200: { description: text } } } } },
          },
          security: [{ [schemeOf(at)]: [] }],
          [`x-${text}`]: text,
        },
      },
    ]),
  ),
  webhooks: Object.fromEntries(
    each((text) => [text, { post: { summary: text, responses: { 200: { description: text } } } }]),
  ),
  components: {
    schemas: {
      ...Object.fromEntries(each((text, _, at) => [`s${at}`, schemaOf(text)])),
      __Meta__: { type: 'string' },
    },
    securitySchemes: Object.fromEntries(
      each((text, _, at) => [
        schemeOf(at),
        { type: 'apiKey', in: 'query', name: text, description: text },
      ]),
    ),
  },
})

export const hostileOpenrpc = (): object => ({
  openrpc: '1.3.2',
  info: { title: ALL, version: ALL, description: ALL },
  servers: [
    {
      name: ALL,
      url: 'https://rpc.example/{v}/$(canary)/`canary`/{}(canary)/{$(canary)}',
      variables: { v: { default: PAYLOADS.quotes, description: ALL } },
    },
  ],
  methods: each((text, _, at) => ({
    name: `m${at}${text}`,
    summary: text,
    description: `${text}\n\n${text}`,
    tags: [{ name: text }],
    params: [
      {
        name: `p${text}`,
        required: true,
        description: text,
        schema: { $ref: `#/components/schemas/r${at}` },
      },
    ],
    result: { name: text, description: text, schema: schemaOf(text) },
    errors: [{ code: at, message: text, data: text }],
    examples: [
      {
        name: text,
        summary: text,
        params: [{ name: `p${text}`, value: shown(text) }],
        result: { name: text, value: shown(text) },
      },
    ],
    ...ending(text),
    'x-not-shown': text,
    [`x-${text}`]: text,
  })),
  components: {
    schemas: Object.fromEntries(each((text, _, at) => [`r${at}`, schemaOf(text)])),
  },
})

/** A header may be called so: RFC 9110, 5.6.2. */
const HEADER = "X-'`canary`$canary|*"

const schemeOf = (at: number): string => `scheme${at}`

const ALL = Object.values(PAYLOADS).join(' ')

const each = <T>(make: (text: string, name: string, at: number) => T): T[] =>
  Object.entries(PAYLOADS).map(([name, text], at) => make(text, name, at))

/** As text, as a form, or as JSON. */
const bodyOf = (name: string, text: string): object => {
  if (['file', 'redirect', 'terminal', 'quotes', 'substitution'].includes(name)) {
    return { 'text/plain': { schema: { type: 'string' }, example: text } }
  }
  if (['globs', 'yaml'].includes(name)) {
    const schema = { type: 'object', properties: { [text]: { type: 'string' } } }
    return { 'application/x-www-form-urlencoded': { schema, example: { [text]: text } } }
  }
  if (['markdown', 'single'].includes(name)) {
    const schema = { type: 'object', properties: { field: { type: 'string' } } }
    return { 'multipart/form-data': { schema, example: { field: text } } }
  }
  return {
    'application/json': {
      schema: schemaOf(text),
      examples: { [text]: { summary: text, value: shown(text) } },
    },
  }
}

/** A value whose keys and texts are the payload; the prototype of nothing is one. */
export const shown = (text: string): object =>
  Object.fromEntries([
    [text, text],
    [`key${text}`, text],
    ['pattern', text],
    ['list', [text]],
  ])

const schemaOf = (text: string): object => ({
  type: 'object',
  title: text,
  description: text,
  properties: Object.fromEntries([
    [text, { type: 'string', title: text, description: text, default: text, const: text }],
    [`key${text}`, { type: 'string', enum: [text, `${text} `], description: text, format: text }],
    ['pattern', { type: 'string', pattern: `^${literally(text)}$` }],
    ['list', { type: 'array', items: { type: 'string', examples: [text] } }],
  ]),
  patternProperties: { [`^x${literally(text)}$`]: { type: 'string', description: text } },
  dependentRequired: { [`key${text}`]: [text] },
  required: [text],
  'x-not-shown': text,
  [`x-${text}`]: text,
})

/** A pattern that matches this text alone. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
