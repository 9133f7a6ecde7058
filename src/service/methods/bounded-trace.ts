import { RpcError } from 'twinspec/runtime/errors'
import { untilDone } from '../node/ask.js'
import type { MethodParts, SendCall } from './method-parts.js'

/**
 * Traces on our own chain, with limits of size and time. Gas limits neither: each step may contain a thousand words of
 * stack or all of the memory. 45,000 units of gas have led to 800 MB in anvil. During a trace, anvil mines nothing, and it
 * ignores the `timeout`. So a tracer of our own measures first, and ends the run if it exceeds a limit. Throws an error for
 * a trace that is too large, and geth's `execution timeout` for one that takes too long. Also throws for JavaScript
 * tracers, which anvil would run without limits.
 */
export const boundTrace =
  (
    method: string,
    send: SendCall,
    { ask, tracing }: Pick<MethodParts['node'], 'ask' | 'tracing'>,
  ): SendCall =>
  async (params, callOptions) => {
    const at = method === 'debug_traceCall' ? 2 : 1
    const { tracer = '', ...rest } = fields(params[at])
    const plan = PLANS.get(String(tracer))
    if (plan === undefined) throw unknownTracer()
    const options = { ...untilDone(callOptions ?? {}), hasTurn: true }
    return tracing(async () => {
      const subject = await find(ask, method, params.slice(0, at), options)
      const most = method.startsWith('debug_traceBlock') ? plan.gasOfBlock : MOST_GAS
      if (subject.gasUsed > most) throw tooLarge(`more than ${most} units of gas were used`)
      if (plan.measure !== undefined) {
        const { tracerConfig, ...config } = rest
        const bounds = callOptions?.caller?.isKeyed === false ? WITHOUT_KEY : WITH_KEY
        const measuring = { ...config, tracer: plan.measure(rest, bounds) }
        assertBounded(sumOf(await send([...subject.params, measuring], options)), bounds)
      }
      callOptions?.signal?.throwIfAborted()
      const config = tracer === '' ? rest : { tracer, ...rest }
      return send([...subject.params, ...(params.length > at ? [config] : [])], options)
    }, callOptions)
  }

const assertBounded = ({ size, events, isLate }: Measured, { mostEvents }: Bounds): void => {
  if (size > MOST_BYTES) throw tooLarge(`it would take more than ${MOST_BYTES} bytes`)
  if (events > mostEvents) throw tooLarge(`it has more than ${mostEvents} steps and calls`)
  if (isLate) throw new RpcError({ code: -32000, message: 'execution timeout' })
}

/** An estimate of the memory that anvil needs for a trace, several times the size of the response. */
const MOST_BYTES = 100_000_000

type Bounds = {
  /** Steps and calls of one request. Measuring a step takes 0.007 ms, tracing it 0.002 ms. */
  readonly mostEvents: number
  /** geth's default is 5 s (`defaultTraceTimeout`). */
  readonly milliseconds: number
}

export const WITH_KEY: Bounds = { mostEvents: 80_000, milliseconds: 2_000 }

/** During a trace, anvil mines nothing, and even callers with a key wait for the block of an earlier transaction. */
export const WITHOUT_KEY: Bounds = { mostEvents: 15_000, milliseconds: 500 }

/** The gas limit of a transaction and, without steps, of a block: the same as for a call. */
const MOST_GAS = 50_000_000

type Plan = {
  /** JavaScript, like geth's custom tracers. Undefined if nothing is recorded. */
  readonly measure?: (config: Fields, bounds: Bounds) => string
  readonly gasOfBlock: number
}

const STEPS: Plan = {
  gasOfBlock: 1_000_000,
  measure: ({ disableStack, disableStorage, enableMemory, enableReturnData }, bounds) =>
    measuring(
      bounds,
      `
      slots: {}, count: 0, returned: 0,
      exit: function (frame) { this.returned = frame.getOutput().length },
      step: function (log) {
        this.size += 300
        ${disableStack === true ? '' : 'this.size += 70 * log.stack.length()'}
        ${enableMemory === true ? 'this.size += 3 * log.memory.length()' : ''}
        ${enableReturnData === true ? 'this.size += 3 * this.returned' : ''}
        ${disableStorage === true ? '' : STORAGE}
        this.check()
      },
      enter: function () {}`,
    ),
}

/** A step that accesses storage contains all slots that the contract has accessed so far. */
const STORAGE = `
        var op = log.op.toNumber()
        if ((op === 0x54 || op === 0x55) && log.stack.length() > 0) {
          var slot = log.stack.peek(0).toString(16)
          if (this.slots[slot] !== 1) { this.slots[slot] = 1; this.count += 1 }
          this.size += 300 * this.count
        }`

const CALLS: Plan = {
  gasOfBlock: MOST_GAS,
  measure: (_, bounds) =>
    measuring(
      bounds,
      `
      enter: function (frame) { this.size += 1000 + 4 * frame.getInput().length; this.check() },
      exit: function (frame) { this.size += 4 * frame.getOutput().length }`,
    ),
}

/**
 * An exception reverts the frame, and the next step of its caller throws again. Each transaction of a block has its
 * own tracer, so all have the same deadline. A run of fewer than 1,000 steps does not check it. Our own chain runs
 * on this machine, with the same clock.
 */
const measuring = ({ mostEvents, milliseconds }: Bounds, members: string): string => `{
      size: 0,
      events: 0,
      isLate: false,
      check: function () {
        this.events += 1
        if (this.events % 1000 === 0 && Date.now() > ${Date.now() + milliseconds}) this.isLate = true
        if (this.isLate || this.events > ${mostEvents} || this.size > ${MOST_BYTES}) throw new Error('too much')
      },
      fault: function () {},
      result: function () { return { size: this.size, events: this.events, isLate: this.isLate } },${members}
    }`

/** The tracers of anvil; an empty name records every step. */
const PLANS: ReadonlyMap<string, Plan> = new Map([
  ['', STEPS],
  ['callTracer', CALLS],
  ['noopTracer', { gasOfBlock: MOST_GAS }],
  // It records every call, but returns only the accounts that they accessed.
  ['prestateTracer', CALLS],
])

type Fields = Readonly<Record<string, unknown>>

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** Replaces a block by its number, so that the measured block is the traced one, and reads the gas it used. */
const find = async (
  ask: MethodParts['node']['ask'],
  method: string,
  params: readonly unknown[],
  options: Parameters<SendCall>[1],
): Promise<{ readonly params: readonly unknown[]; readonly gasUsed: number }> => {
  const read = async (asked: string, of: readonly unknown[]): Promise<Fields> =>
    fields(await ask(asked as 'eth_getBlockByNumber', of as never, options))
  const [first, block] = params
  if (method === 'debug_traceCall') {
    if (!isMoving(block)) return { params, gasUsed: 0 }
    const { number } = await read('eth_getBlockByNumber', [block, false])
    return { params: [first, number ?? block], gasUsed: 0 }
  }
  if (method === 'debug_traceBlockByNumber') {
    const { number, gasUsed } = await read('eth_getBlockByNumber', [first, false])
    return { params: [isMoving(first) ? (number ?? first) : first], gasUsed: Number(gasUsed ?? 0) }
  }
  if (method === 'debug_traceBlockByHash') {
    const { gasUsed } = await read('eth_getBlockByHash', [first, false])
    return { params, gasUsed: Number(gasUsed ?? 0) }
  }
  const { gasUsed } = await read('eth_getTransactionReceipt', [first])
  // anvil has a different text for it in each tracer.
  if (gasUsed === undefined) throw new RpcError({ code: -32000, message: 'transaction not found' })
  return { params, gasUsed: Number(gasUsed) }
}

const isMoving = (block: unknown): boolean =>
  block === 'latest' || block === 'safe' || block === 'finalized'

/** The total of one run, or of all transactions of a block. */
const sumOf = (measured: unknown): Measured => {
  const runs = [measured].flat().map((one) => fields(fields(one).result ?? one))
  const sum = (name: string) => runs.reduce((total, run) => total + Number(run[name] ?? 0), 0)
  return {
    size: sum('size'),
    events: sum('events'),
    isLate: runs.some(({ isLate }) => isLate === true),
  }
}

type Measured = { readonly size: number; readonly events: number; readonly isLate: boolean }

const tooLarge = (why: string): RpcError =>
  new RpcError({ code: -32000, message: `the trace is too large: ${why}` })

/** geth uses -32000, the same code as for a failed trace. Clients read -32602 as an error in the request. */
const unknownTracer = (): RpcError => {
  const names = [...PLANS.keys()].filter((name) => name !== '').join(', ')
  return new RpcError({
    code: -32602,
    message: `unknown tracer: use one of ${names}, or leave it out to trace every step`,
  })
}
