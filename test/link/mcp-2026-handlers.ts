import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { RpcError } from 'twinspec/runtime/errors'
import {
  CONTENT,
  contentsOf,
  messagesOf,
  PROMPTS,
  RESOURCES,
  TEMPLATES,
  text,
  toolsOf,
} from './mcp-content.js'

const VERSION = '2026-07-28'
const META = 'io.modelcontextprotocol/'

/** The status of a response by the code of its error. */
export const errorStatuses = {
  '-32600': 400,
  '-32601': 404,
  '-32602': 400,
  '-32700': 400,
  '-32020': 400,
  '-32021': 400,
  '-32022': 400,
}

/** Handlers of a generated server of MCP 2026-07-28, with what its conformance suite calls. */
export const createHandlers = () => {
  /** Called with what changes. */
  const listeners = new Set<(change: Change) => void>()
  const cached = { ttlMs: 1_000, cacheScope: 'public' as const }
  const handlers: Readonly<Record<string, Handler>> = {
    serverDiscover: () => ({
      ...cached,
      supportedVersions: [VERSION],
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: {},
        completions: {},
      },
    }),
    completionComplete: () => ({ completion: { values: ['paris', 'park'], hasMore: false } }),
    toolsList: () => ({ ...cached, tools: toolsOf([...Object.keys(CONTENT), ...NAMES]) }),
    toolsCall: async (params, context) => {
      const { name } = params
      if (name === 'test_trigger_tool_change' || name === 'test_trigger_prompt_change') {
        const change =
          name === 'test_trigger_tool_change' ? 'toolsListChanged' : 'promptsListChanged'
        for (const tell of listeners) tell(change)
        return { content: [text('changed')] }
      }
      const found = CONTENT[name] ?? (await TOOLS[name]?.(params, context))
      if (found === undefined)
        throw new RpcError({ code: -32602, message: `There is no tool ${name}` })
      return Array.isArray(found) ? { content: found } : found
    },
    resourcesList: () => ({ ...cached, resources: RESOURCES }),
    resourcesTemplatesList: () => ({ ...cached, resourceTemplates: TEMPLATES }),
    resourcesRead: ({ uri }) => {
      const contents = contentsOf(uri)
      if (contents) return { ...cached, contents }
      throw new RpcError({ code: -32602, message: 'Resource not found', data: { uri } })
    },
    promptsList: () => ({
      ...cached,
      prompts: [...PROMPTS, { name: PROMPT, description: 'A prompt that needs input' }],
    }),
    promptsGet: (params) => {
      const { name, arguments: args, inputResponses } = params
      if (name === PROMPT) {
        const { context } = contentOf(inputResponses, 'user_context') ?? {}
        return context === undefined
          ? inputRequired({
              user_context: elicit('What context should the prompt use?', 'context'),
            })
          : { messages: [{ role: 'user', content: text(`Use ${context}`) }] }
      }
      const messages = messagesOf(name, args)
      if (messages) return { messages }
      throw new RpcError({ code: -32602, message: `There is no prompt ${name}` })
    },
    subscriptionsListen: async ({ notifications }, { peer, id, signal }) => {
      const _meta = { [`${META}subscriptionId`]: id }
      const { toolsListChanged, promptsListChanged } = notifications
      const accepted = {
        ...(toolsListChanged && { toolsListChanged }),
        ...(promptsListChanged && { promptsListChanged }),
      }
      await peer?.notify.notificationsSubscriptionsAcknowledged({ _meta, notifications: accepted })
      const tell = (change: Change): void => {
        if (!notifications[change]) return
        const send =
          change === 'toolsListChanged'
            ? peer?.notify.notificationsToolsListChanged
            : peer?.notify.notificationsPromptsListChanged
        void send?.({ _meta }).catch(() => undefined)
      }
      listeners.add(tell)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      listeners.delete(tell)
      return { _meta }
    },
  }
  const checked = Object.entries(handlers).map(([id, handle]) => [
    id,
    async (params: Params, context: Context) => {
      check(params, context)
      const result = Object(await handle(params, context))
      const _meta = {
        ...result._meta,
        [`${META}serverInfo`]: { name: 'twinspec-mcp', version: '1.0.0' },
      }
      return { resultType: 'complete', ...result, _meta }
    },
  ])
  return { ...Object.fromEntries(checked), notificationsCancelled: () => undefined }
}

// biome-ignore lint/suspicious/noExplicitAny: the tests of types have the params of each method.
type Params = any
type Notify = (params: object) => Promise<unknown>
type Context = {
  readonly peer?: {
    readonly notify: {
      readonly notificationsMessage: Notify
      readonly notificationsSubscriptionsAcknowledged: Notify
      readonly notificationsToolsListChanged: Notify
      readonly notificationsPromptsListChanged: Notify
    }
  }
  readonly id?: string | number | null
  readonly progress: (value: object) => Promise<void>
  readonly headers: Readonly<Record<string, unknown>>
  readonly operation: { readonly method: string }
  readonly signal: AbortSignal
}
type Handler = (params: Params, context: Context) => unknown
type Change = 'toolsListChanged' | 'promptsListChanged'

/**
 * The headers must say what the message says, and the version must be ours. Over other links there are no headers. Called before
 * each handler.
 */
const check = (params: Params, { headers, operation }: Context): void => {
  const requested = params._meta[`${META}protocolVersion`]
  const expected = {
    'mcp-protocol-version': requested,
    'mcp-method': operation.method,
    'mcp-name': NAMED.includes(operation.method) ? (params.name ?? params.uri) : undefined,
  }
  for (const [name, value] of headers.host === undefined ? [] : Object.entries(expected))
    if (value !== undefined && headers[name] !== value)
      throw new RpcError({ code: -32020, message: `the header ${name} must be ${value}` })
  const data = { requested, supported: [VERSION] }
  if (requested !== VERSION)
    throw new RpcError({ code: -32022, message: 'Unsupported protocol version', data })
}

const NAMED = ['tools/call', 'prompts/get', 'resources/read']

const inputRequired = (inputRequests: object, requestState?: string) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState && { requestState }),
})

const elicit = (message: string, name: string, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
})

const sample = (question: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(question) }], maxTokens },
})

const ROOTS = { method: 'roots/list', params: {} }

/** What the user has entered. */
const contentOf = (responses: Params, name: string): Params => responses?.[name]?.content

const KEY = 'the key of this server'
const sign = (state: string): string =>
  `${state}.${createHmac('sha256', KEY).update(state).digest('hex')}`

/** The state that the client has sent back. Throws an RpcError if it is not ours. */
const verified = (sent: string): string => {
  const state = sent.slice(0, sent.lastIndexOf('.'))
  const [mine, theirs] = [sign(state), sent].map((one) => Buffer.from(one))
  if (mine && theirs && mine.length === theirs.length && timingSafeEqual(mine, theirs)) return state
  throw new RpcError({ code: -32602, message: 'The requestState was changed' })
}

const PROMPT = 'test_input_required_result_prompt'

const TOOLS: Readonly<Record<string, Handler>> = {
  test_error_handling: () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
  test_tool_with_progress: async (_, { progress }) => {
    for (const part of [0, 50, 100]) {
      await progress({ progress: part, total: 100 })
      await setTimeout(50)
    }
    return [text('Tool with progress executed')]
  },
  test_logging_tool: async ({ _meta }, { peer }) => {
    const level = _meta[`${META}logLevel`]
    if (level) await peer?.notify.notificationsMessage({ level, data: 'a message' })
    return [text('logged')]
  },
  test_missing_capability: ({ _meta }) => {
    if (_meta[`${META}clientCapabilities`].sampling) return [text('sampling is there')]
    const data = { requiredCapabilities: { sampling: {} } }
    throw new RpcError({ code: -32021, message: 'This tool needs sampling', data })
  },
  test_streaming_elicitation: ({ inputResponses }) =>
    contentOf(inputResponses, 'user_name') === undefined
      ? inputRequired({ user_name: elicit('What is your name?', 'name') })
      : [text('thanks')],
  test_input_required_result_elicitation: ({ inputResponses }) => {
    const { name } = contentOf(inputResponses, 'user_name') ?? {}
    return name === undefined
      ? inputRequired({ user_name: elicit('What is your name?', 'name') })
      : [text(`Hello, ${name}!`)]
  },
  test_input_required_result_sampling: ({ inputResponses }) => {
    const said = contentOf(inputResponses, 'capital_question')
    return said === undefined
      ? inputRequired({ capital_question: sample('What is the capital of France?', 100) })
      : [text(said.text)]
  },
  test_input_required_result_list_roots: ({ inputResponses }) => {
    const roots = inputResponses?.client_roots?.roots
    return roots ? [text(JSON.stringify(roots))] : inputRequired({ client_roots: ROOTS })
  },
  test_input_required_result_request_state: ({ inputResponses, requestState }) => {
    if (inputResponses?.confirm === undefined)
      return inputRequired({ confirm: elicit('Please confirm', 'ok', 'boolean') }, sign('confirm'))
    verified(requestState ?? '')
    return [text('state-ok')]
  },
  test_input_required_result_multiple_inputs: ({ inputResponses, requestState }) => {
    const requests = {
      user_name: elicit('What is your name?', 'name'),
      greeting: sample('Generate a greeting', 50),
      client_roots: ROOTS,
    }
    if (Object.keys(requests).some((name) => inputResponses?.[name] === undefined))
      return inputRequired(requests, sign('several'))
    verified(requestState ?? '')
    return [text(`Hello, ${contentOf(inputResponses, 'user_name').name}`)]
  },
  test_input_required_result_multi_round: ({ inputResponses, requestState }) => {
    const state = requestState === undefined ? '' : verified(requestState)
    if (state === '')
      return inputRequired({ step1: elicit('Step 1: What is your name?', 'name') }, sign('round-1'))
    if (state === 'round-1')
      return inputRequired(
        { step2: elicit('Step 2: What is your favorite color?', 'color') },
        sign(`round-2 ${contentOf(inputResponses, 'step1')?.name}`),
      )
    return [text(`${state} ${contentOf(inputResponses, 'step2')?.color}`)]
  },
  test_input_required_result_tampered_state: ({ requestState }) => {
    if (requestState === undefined)
      return inputRequired({ confirm: elicit('Please confirm', 'ok', 'boolean') }, sign('tampered'))
    return [text(verified(requestState))]
  },
  test_input_required_result_capabilities: ({ _meta, inputResponses }) => {
    if (inputResponses) return [text('thanks')]
    const { sampling, elicitation } = _meta[`${META}clientCapabilities`]
    return inputRequired({
      ...(sampling && { question: sample('What is the capital of France?', 100) }),
      ...(elicitation && { user_name: elicit('What is your name?', 'name') }),
    })
  },
}

const NAMES = [...Object.keys(TOOLS), 'test_trigger_tool_change', 'test_trigger_prompt_change']
