import { NotTested } from '../conform/case.js'
import { createTarget } from '../conform/target.js'
import { createRun, runWorkflow } from '../conform/workflows/run-workflow.js'
import { bodyValue, type StepRequest } from '../conform/workflows/scope.js'
import type { Api, Operation } from '../model/api.js'
import { isObject } from '../model/json.js'
import { readRequestBody } from '../runtime/wire/read-body.js'
import type { Checker } from '../schema/check.js'
import type { Exchange } from '../traffic/exchange.js'
import type { PlannedCall } from './calls.js'
import type { CallRecord } from './send-call.js'

/**
 * Runs the workflows of the old documents; the old client sends each step. A workflow ends if a step cannot be sent, or if its
 * criteria fail. A mock keeps no state, so failed criteria are ignored for a mock.
 */
export const runOldWorkflows = async (
  api: Api,
  { server, key, checker, call, mayBeSent, onBroken }: WorkflowTerms,
): Promise<void> => {
  const run = createRun(api, {
    target: createTarget(api, { url: server, key }),
    checker,
    cover: () => undefined,
    now: () => performance.now(),
    deadline: undefined,
    // Skips retry delays, which would otherwise be repeated for each version.
    sleep: async () => undefined,
    ask: () => Promise.reject(new NotTested('a workflow sends by its client')),
  })
  for (const workflow of api.workflows) {
    const label = `the workflow ${workflow.id}`
    const send = async (request: StepRequest, operation: Operation): Promise<Exchange> => {
      if (!mayBeSent(operation)) throw new NotTested('its operation is not to be sent')
      const sending = await call(label, operation, stepValues(request, operation, checker))
      if (sending.kind === 'unsent') throw new NotTested(sending.why)
      const last = sending.exchanges.at(-1)
      if (last === undefined) throw new NotTested('its client sent nothing')
      return last
    }
    try {
      const result = await runWorkflow(workflow, {}, { ...run, send })
      if (result.kind === 'passed') continue
      for (const { operation, message, expected } of result.findings)
        if (operation !== undefined) onBroken(label, operation, { message, expected })
    } catch (error) {
      if (!(error instanceof NotTested)) throw error
    }
  }
}

type WorkflowTerms = {
  readonly server: string
  readonly key: string | undefined
  readonly checker: Checker
  /** Sends one call by the old client, and records the result. */
  readonly call: (
    label: string,
    operation: Operation,
    values: PlannedCall['values'],
  ) => Promise<CallRecord>
  /** Whether the run allows the operation: one that only reads may be required, or the run may be stopped. */
  readonly mayBeSent: (operation: Operation) => boolean
  readonly onBroken: (
    label: string,
    operation: Operation,
    words: { readonly message: string; readonly expected: string },
  ) => void
}

/** The values of a step as arguments of its client. Throws NotTested for a batch, for which clients have no method. */
export const stepValues = (
  { sent, parameters }: StepRequest,
  operation: Operation,
  checker: Checker,
): PlannedCall['values'] => {
  if (operation.kind === 'rpc') {
    const call = bodyValue(sent.body)
    if (!isObject(call)) throw new NotTested('a step sends a batch')
    const { params = [] } = call
    return { kind: 'rpc', params: isObject(params) || Array.isArray(params) ? params : [params] }
  }
  const known = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const values = { kind: 'http', parameters: Object.fromEntries(known) } as const
  if (sent.body === undefined) return values
  const [, type = 'application/json'] =
    Object.entries(sent.headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  const content = operation.body?.content ?? []
  const termsOf = (declared: string) => {
    const media = content.find((one) => one.type === declared)
    return { validator: media && checker.schema(media.schema) }
  }
  const sentBody = { contentType: type, content: { raw: sent.body } }
  const reading = readRequestBody(content, termsOf, sentBody)
  if (reading.kind === 'none') return values
  if (reading.kind === 'unread' && reading.reason !== 'bytes')
    throw new NotTested(`its body cannot be read as ${type}`)
  const value =
    reading.kind === 'unread'
      ? sent.body
      : reading.kind === 'value'
        ? reading.value
        : reading.written
  return { ...values, body: { type, value, files: [] } }
}
