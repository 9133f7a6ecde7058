import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AnsweredCall } from 'twinspec/runtime/server'
import type { Policy } from '../access/limits.js'
import type { Compiler } from '../compiler/compiler.js'
import type { Depth } from '../outbox/outbox.js'
import { NoTurn } from '../turns.js'
import type { RecordOutcome } from '../usage/record-usage.js'

/**
 * The metrics for Prometheus, in their own registry. The number of label values is limited for any
 * requests: an undocumented method is `other`.
 */
export const createMetrics = ({ freshMilliseconds = 2_000 }: MetricsOptions = {}): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({
    name: 'twinspec_http_requests_total',
    help: 'HTTP responses',
    labelNames: ['operation', 'status'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'twinspec_http_request_duration_seconds',
    help: 'Time from the head of an HTTP request to the head of its response',
    labelNames: ['operation'] as const,
    buckets: SECONDS,
    registers,
  })
  const underWay = new Gauge({
    name: 'twinspec_http_requests_in_flight',
    help: 'HTTP requests without a response yet',
    registers,
  })
  const calls = new Counter({
    name: 'twinspec_rpc_calls_total',
    help: 'Responses to JSON-RPC calls; the code is 0 for a result',
    labelNames: ['method', 'code'] as const,
    registers,
  })
  const callDurations = new Histogram({
    name: 'twinspec_rpc_call_duration_seconds',
    help: 'Duration of JSON-RPC calls; each member of a batch counts',
    labelNames: ['method'] as const,
    buckets: SECONDS,
    registers,
  })
  const limited = new Counter({
    name: 'twinspec_rate_limited_total',
    help: 'Requests and members of batches rejected by a rate limit',
    labelNames: ['policy'] as const,
    registers,
  })
  const compilations = new Counter({
    name: 'twinspec_compilations_total',
    help: 'Solidity compilations by outcome: compiled, rejected or busy',
    labelNames: ['outcome'] as const,
    registers,
  })
  const compiling = new Histogram({
    name: 'twinspec_compilation_duration_seconds',
    help: 'Duration of Solidity compilations, including the time in the queue',
    buckets: SECONDS,
    registers,
  })
  const records = new Counter({
    name: 'twinspec_usage_records_total',
    help: 'Records of usage by outcome: written, dropped (too many at a time) or failed',
    labelNames: ['outcome'] as const,
    registers,
  })
  return {
    registry,
    begin: () => underWay.inc(),
    end: (operation, status, seconds) => {
      underWay.dec()
      requests.inc({ operation, status })
      durations.observe({ operation }, seconds)
    },
    called: ({ operation, method, code = 0, milliseconds }) => {
      const name = operation || method === 'rpc.discover' ? method : 'other'
      calls.inc({ method: name, code: KNOWN_CODES.has(code) || operation ? code : 'other' })
      callDurations.observe({ method: name }, milliseconds / 1000)
    },
    limited: (policy) => limited.inc({ policy }),
    recorded: (outcome, count) => records.inc({ outcome }, count),
    countCompilations: (compiler) => ({
      ...compiler,
      compile: async (source, options) => {
        const tellEnd = compiling.startTimer()
        const outcome = (name: string): void => {
          tellEnd()
          compilations.inc({ outcome: name })
        }
        try {
          const compiled = await compiler.compile(source, options)
          outcome('compiled')
          return compiled
        } catch (error) {
          outcome(error instanceof NoTurn ? 'busy' : 'rejected')
          throw error
        }
      },
    }),
    watchParts: (readiness) => {
      const ready = new Gauge({
        name: 'twinspec_part_ready',
        help: '1 if the part of the service responds, as /ready reports it, otherwise 0',
        labelNames: ['part'] as const,
        registers,
        collect: async () => {
          for (const [part, isReady] of await readiness()) ready.set({ part }, isReady ? 1 : 0)
        },
      })
    },
    watchChain: (memory) => {
      const bytes: Gauge = new Gauge({
        name: 'twinspec_chain_memory_bytes',
        help: 'Memory of the embedded chain, which --chain-megabytes bounds; 0 where the system does not report it',
        registers,
        collect: () => bytes.set(memory()),
      })
    },
    watchOutbox: (depth) => {
      let found: Promise<Depth | undefined> = Promise.resolve(undefined)
      let freshUntil = 0
      // The metrics are public, and the query counts the whole table: it runs once at a time, and its result is reused.
      const look = (): void => {
        if (Date.now() < freshUntil) return
        freshUntil = Number.POSITIVE_INFINITY
        // Other metrics must be available when the store does not respond.
        found = depth()
          .catch(() => undefined)
          .finally(() => {
            freshUntil = Date.now() + freshMilliseconds
          })
      }
      const submissions = new Gauge({
        name: 'twinspec_outbox_submissions',
        help: 'Submissions in the store by status',
        labelNames: ['status'] as const,
        registers,
        collect: async () => {
          look()
          const { oldestSeconds: _, ...states } = (await found) ?? { oldestSeconds: 0 }
          submissions.reset()
          for (const [status, count] of Object.entries(states)) submissions.set({ status }, count)
        },
      })
      const oldest: Gauge = new Gauge({
        name: 'twinspec_outbox_oldest_seconds',
        help: 'Age of the oldest submission that is neither completed nor failed',
        registers,
        // Collected after the metric above, in the order of creation.
        collect: async () => oldest.set((await found)?.oldestSeconds ?? 0),
      })
    },
  }
}

export type Metrics = {
  readonly registry: Registry
  readonly begin: () => void
  readonly end: (operation: string, status: number, seconds: number) => void
  readonly called: (call: AnsweredCall) => void
  readonly limited: (policy: Policy) => void
  /** The outcome of a number of usage records. */
  readonly recorded: (outcome: RecordOutcome, count: number) => void
  /** The same compiler, with metrics. */
  readonly countCompilations: (compiler: Compiler) => Compiler
  /** `readiness` is called when the metrics are read: it returns the parts and whether they respond. */
  readonly watchParts: (readiness: () => Promise<readonly (readonly [string, boolean])[]>) => void
  /** `memory` returns the bytes of the embedded chain. */
  readonly watchChain: (memory: () => number) => void
  /** `depth` is called when the metrics are read and its last result is older than a few seconds. */
  readonly watchOutbox: (depth: () => Promise<Depth>) => void
}

export type MetricsOptions = {
  /** The time for which the depth of the outbox is reused. */
  readonly freshMilliseconds?: number
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

const KNOWN_CODES = new Set([0, -32600, -32601, -32602, -32603, -32001, -32005])
