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

/** Handlers of a generated server of MCP 2025-11-25, with what its conformance suite calls. */
export const createHandlers = () => {
  const watched = new Set<string>()
  return {
    initialize: ({ protocolVersion }: Params) => ({
      protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0],
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        logging: {},
        completions: {},
      },
      serverInfo: { name: 'twinspec-mcp', version: '1.0.0' },
    }),
    ping: () => ({}),
    loggingSetLevel: () => ({}),
    completionComplete: () => ({ completion: { values: ['paris', 'park'], hasMore: false } }),
    toolsList: () => ({ tools: toolsOf([...Object.keys(CONTENT), ...Object.keys(TOOLS)]) }),
    toolsCall: async (params: Params, context: Context) => {
      const content = CONTENT[params.name] ?? (await TOOLS[params.name]?.(params, context))
      if (content === undefined)
        throw new RpcError({ code: -32602, message: `There is no tool ${params.name}` })
      return Array.isArray(content) ? { content } : content
    },
    resourcesList: () => ({ resources: RESOURCES }),
    resourcesTemplatesList: () => ({ resourceTemplates: TEMPLATES }),
    resourcesRead: ({ uri }: Params) => {
      const contents = contentsOf(uri)
      if (contents) return { contents }
      throw new RpcError({ code: -32002, message: 'Resource not found', data: { uri } })
    },
    resourcesSubscribe: async ({ uri }: Params, { peer }: Context) => {
      watched.add(uri)
      // After the response, the message is in the stream of the session.
      void setTimeout(50).then(async () => {
        // The session may have ended.
        if (watched.has(uri))
          await peer?.notify.notificationsResourcesUpdated({ uri }).catch(() => undefined)
      })
      return {}
    },
    resourcesUnsubscribe: ({ uri }: Params) => {
      watched.delete(uri)
      return {}
    },
    promptsList: () => ({ prompts: PROMPTS }),
    promptsGet: ({ name, arguments: args }: Params) => {
      const messages = messagesOf(name, args)
      if (messages) return { messages }
      throw new RpcError({ code: -32602, message: `There is no prompt ${name}` })
    },
    ...Object.fromEntries(
      ['tasksGet', 'tasksResult', 'tasksCancel', 'tasksList'].map((id) => [id, noTasks]),
    ),
    ...Object.fromEntries(
      ['Initialized', 'Cancelled', 'Progress', 'TasksStatus', 'RootsListChanged'].map((name) => [
        `notifications${name}`,
        () => undefined,
      ]),
    ),
  }
}

let cancelled = 0

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']

const noTasks = () => {
  throw new RpcError({ code: -32601, message: 'This server has no tasks' })
}

// biome-ignore lint/suspicious/noExplicitAny: the tests of types have the params of each method.
type Params = any
type Context = {
  readonly peer?: Peer
  readonly signal: AbortSignal
  readonly progress: (value: object) => Promise<void>
}
type Peer = {
  readonly notify: Readonly<
    Record<
      'notificationsResourcesUpdated' | 'notificationsMessage',
      (params: object) => Promise<unknown>
    >
  >
  readonly call: Readonly<
    Record<'samplingCreateMessage' | 'elicitationCreate', (params: object) => Promise<Params>>
  >
}

/** Asks the user. */
const elicit = async (
  { peer }: Context,
  message: string,
  properties: object,
  required?: string[],
) => {
  const requestedSchema = { type: 'object', properties, ...(required && { required }) }
  const result = await peer?.call.elicitationCreate({ mode: 'form', message, requestedSchema })
  return `action=${result.action}, content=${JSON.stringify(result.content ?? {})}`
}

const string = (more: object) => ({ type: 'string', ...more })
const titled = (...all: readonly string[]) =>
  all.map((title, index) => ({ const: `value${index + 1}`, title }))
const OPTIONS = ['option1', 'option2', 'option3']

const TOOLS: Readonly<Record<string, (params: Params, context: Context) => Promise<unknown>>> = {
  test_tool_with_logging: async (_, { peer }) => {
    for (const data of ['started', 'processing data', 'completed']) {
      const words = data === 'processing data' ? `Tool ${data}` : `Tool execution ${data}`
      await peer?.notify.notificationsMessage({ level: 'info', data: words })
      await setTimeout(50)
    }
    return [text('Tool with logging executed')]
  },
  test_error_handling: async () => ({
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
  test_sampling: async ({ arguments: args }, { peer }) => {
    const content = text(args.prompt)
    const messages = [{ role: 'user', content }]
    const result = await peer?.call.samplingCreateMessage({ messages, maxTokens: 100 })
    return [text(`LLM response: ${result.content.text}`)]
  },
  test_elicitation: async ({ arguments: args }, context) => {
    const properties = {
      username: string({ description: "User's response" }),
      email: string({ description: "User's email address" }),
    }
    const said = await elicit(context, args.message, properties, ['username', 'email'])
    return [text(`User response: ${said}`)]
  },
  test_elicitation_sep1034_defaults: async (_, context) => {
    const status = string({ enum: ['active', 'inactive', 'pending'], default: 'active' })
    const properties = {
      name: string({ default: 'John Doe' }),
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status,
      verified: { type: 'boolean', default: true },
    }
    return [text(`Elicitation completed: ${await elicit(context, 'Defaults?', properties)}`)]
  },
  test_elicitation_sep1330_enums: async (_, context) => {
    const properties = {
      untitledSingle: string({ enum: OPTIONS }),
      titledSingle: string({ oneOf: titled('First Option', 'Second Option', 'Third Option') }),
      legacyEnum: string({
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      }),
      untitledMulti: { type: 'array', items: string({ enum: OPTIONS }) },
      titledMulti: {
        type: 'array',
        items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
      },
    }
    return [text(`Elicitation completed: ${await elicit(context, 'Which?', properties)}`)]
  },
  /** Waits until the caller cancels it. */
  wait: async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    cancelled += 1
    return [text('was cancelled')]
  },
  count_cancelled: async () => [text(String(cancelled))],
}
