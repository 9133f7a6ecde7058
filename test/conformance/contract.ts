import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHttpClient, isHttpError } from '../../generated/http.client.js'
import { createRpcClient } from '../../generated/rpc.client.js'
import {
  answersOf,
  answerTo,
  api,
  httpOperations,
  pairingFor,
  requestsOf,
  rpcOperations,
  shownExamples,
  unshownRefusals,
} from './documents.js'
import { httpCall, outcomeOf, rpcCall, watchTraffic } from './traffic.js'
import { asDocumented, asRead, readHttpError, readOutcome } from './verdict.js'

/** Something that answers both protocols from the documents' examples, and gives the one that `Prefer` names. */
export type Host = {
  readonly httpUrl: string
  /** Still with `{apiKey}`. */
  readonly rpcUrl: string
  readonly stop: () => Promise<unknown>
}

/** A key that no URL takes as it is. */
const apiKey = 'demo key/1?#'

/**
 * The generated clients against a host: every operation, form, example and declared error of the documents, batches and
 * polling. What was exercised is counted against the documents in the end, so that nothing is left out quietly.
 */
export const describeContract = (name: string, start: () => Promise<Host>): void => {
  describe(name, () => {
    const traffic = watchTraffic()
    const exercised = new Set<string>()
    let host: Host

    beforeAll(async () => {
      host = await start()
    })
    afterAll(() => host?.stop())
    afterEach(() => expect(traffic.takeViolations()).toEqual([]))

    const http = () =>
      createHttpClient({
        server: host.httpUrl,
        auth: { apiKey },
        fetch: traffic.http,
        // An idempotent lookup would be sent again after a 429.
        retry: { attempts: 1 },
      })
    const rpc = (prefer?: string, batch: 'auto' | 'off' = 'off') =>
      createRpcClient({
        server: host.rpcUrl,
        auth: { apiKey },
        fetch: traffic.rpc,
        retry: { attempts: 1 },
        batch,
        ...(prefer !== undefined && { headers: { prefer: `example=${prefer}` } }),
      })

    describe.each(httpOperations.map((operation) => [operation.id, operation] as const))(
      '%s',
      (id, operation) => {
        it('answers each documented request by its name or its form', async () => {
          for (const { examples, path, body } of requestsOf(operation)) {
            const answer = await httpCall(http(), id)({ path, body })
            expect(answer, examples.join()).toEqual(asRead(operation, answerTo(operation, body)))
            for (const example of examples) exercised.add(`${id} request ${example}`)
          }
        })

        it('gives each documented answer, the refusals as typed errors', async () => {
          for (const { name, status, value, refuses, request } of answersOf(operation)) {
            // Without a key of its own in the path, the client's is sent.
            const path = operation.parameters.some(({ secret }) => secret) ? {} : request.path
            const headers = { prefer: `code=${status}, example=${name}` }
            const call = httpCall(http(), id)({ path, body: request.body }, { headers })
            const { answer, error } = await outcomeOf(call)
            if (!refuses)
              expect({ name, error, answer }).toEqual({
                name,
                answer: asRead(operation, { value }),
              })
            else expect(readHttpError(error, id, status), name).toEqual({ body: value, issues: [] })
            exercised.add(`${id} answer ${status} ${name}`)
          }
        })
      },
    )

    it.each(rpcOperations.map((operation) => [operation.method, operation] as const))(
      '%s gives each example by its name and by its params',
      async (method, operation) => {
        for (const example of operation.examples) {
          const named = rpcCall(rpc(example.name), operation.id)(...example.params)
          expect(readOutcome(await outcomeOf(named)), example.name).toEqual(
            asDocumented(operation, example),
          )
          const plain = rpcCall(rpc(), operation.id)(...example.params)
          const pairing = pairingFor(operation, example.params)
          expect(readOutcome(await outcomeOf(plain)), example.name).toEqual(
            asDocumented(operation, pairing),
          )
          exercised.add(`${method} ${example.name}`)
        }
      },
    )

    describe('batches', () => {
      const calls = rpcOperations.map((operation) => {
        const { params, outcome } = pairingFor(operation, [])
        return { id: operation.id, params, outcome }
      })
      /** As many calls as are asked for, of as many methods as there are. */
      const some = (count: number) =>
        Array.from(
          { length: count },
          (_, index) => calls[index % calls.length] as (typeof calls)[0],
        )
      const results = (count: number) =>
        some(count).map(({ outcome }) => outcome.kind === 'result' && outcome.value)

      it.each([
        [1, 1],
        [40, 1],
        [41, 2],
        [calls.length, Math.ceil(calls.length / 40)],
      ])('%i calls are %i requests, each call with its own answer', async (count, requests) => {
        const before = traffic.count()
        const explicit = await rpc().batch((batch) =>
          Promise.all(some(count).map(({ id, params }) => rpcCall(batch, id)(...params))),
        )
        expect(explicit).toEqual(results(count))
        expect(traffic.count() - before).toBe(requests)

        const client = rpc(undefined, 'auto')
        const automatic = await Promise.all(
          some(count).map(({ id, params }) => rpcCall(client, id)(...params)),
        )
        expect(automatic).toEqual(results(count))
        expect(traffic.count() - before).toBe(2 * requests)
      })

      it('a refusal in a batch is thrown to its caller alone', async () => {
        const refused = rpcOperations.flatMap((operation) =>
          operation.examples
            .filter(
              (one) => one.outcome.kind === 'error' && pairingFor(operation, one.params) === one,
            )
            .map((example) => ({ operation, example })),
        )
        const [first] = refused
        if (!first) throw new Error('no example refuses by its params')
        const settled = await rpc().batch((batch) =>
          Promise.allSettled([
            batch.ethChainId(),
            rpcCall(batch, first.operation.id)(...first.example.params),
            batch.ethBlockNumber(),
          ]),
        )
        expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        const [, { reason: error } = { reason: undefined }] = settled as PromiseRejectedResult[]
        expect(readOutcome({ error })).toEqual(asDocumented(first.operation, first.example))
      })

      it('a batch of 41, sent past the client, is refused as a whole', async () => {
        const send = async (count: number) => {
          const url = host.rpcUrl.replace('{apiKey}', encodeURIComponent(apiKey))
          const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' })
          const response = await traffic.rpc(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(Array.from({ length: count }, (_, index) => call(index))),
          })
          return { status: response.status, body: await response.json() }
        }
        expect(await send(41)).toEqual({
          status: 200,
          body: Array.from({ length: 41 }, (_, id) => ({
            jsonrpc: '2.0',
            id,
            error: { code: -32010, message: expect.any(String) },
          })),
        })
        expect((await send(40)).body).toHaveLength(40)
      })
    })

    it('a transaction is followed through its states', async () => {
      const path = { queueId: '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942' }
      const script = ['pending', 'pending', 'processing', 'completed']
      let asked = 0
      const client = createHttpClient({
        server: host.httpUrl,
        fetch: (url, init) => {
          const headers = new Headers(init.headers)
          headers.set('prefer', `example=${script[asked]}`)
          asked += 1
          return traffic.http(url, { ...init, headers })
        },
      })
      const states: string[] = []
      for await (const record of client.getZktTransaction.poll({ path }, { interval: 1 })) {
        states.push(record.status)
        if (record.status === 'completed') expect(record.transactionHash).toMatch(/^0x9f0b/)
      }
      expect(states).toEqual(['pending', 'processing', 'completed'])
      expect(asked).toBe(script.length)
    })

    it('the hash of a transaction is found under either of its names', async () => {
      const body = { arguments: 'hi' }
      const client = http()
      const ask = async (example: string) =>
        client.submitZkt({ body }, { headers: { prefer: `example=${example}` } })
      const byHash = await ask('messageHash')
      expect(byHash.hash).toMatch(/^0x/)
      expect(byHash.transactionHash).toBe(byHash.hash)
      const byOther = await ask('callWriteTransactionHash')
      expect(byOther.transactionHash).toMatch(/^0x/)
      expect(byOther.hash).toBe(byOther.transactionHash)
    })

    it('success: false under 200 is thrown, whatever the form', async () => {
      const headers = { prefer: 'example=refused' }
      for (const name of ['message', 'callRead', 'deploy']) {
        const { body } = byExample('submitZkt', name)
        const { error } = await outcomeOf(httpCall(http(), 'submitZkt')({ body }, { headers }))
        if (!isHttpError(error, 'submitZkt', 200)) throw error
        expect(error.body).toMatchObject({ success: false, errorCode: 'EXECUTION_REVERTED' })
      }
    })

    it('has been asked for everything that the documents show', () => {
      const shown = shownExamples()
      expect([...exercised].sort()).toEqual([...new Set(shown)].sort())
      expect(exercised.size).toBe(shown.length)
      expect(api.operations).toHaveLength(83)
      expect(unshownRefusals()).toEqual([])
      // Each JSON-RPC example is asked for twice.
      expect(traffic.count()).toBeGreaterThan(shown.length + 200)
    })
  })
}

const byExample = (id: string, name: string) => {
  const operation = httpOperations.find((one) => one.id === id)
  const found =
    operation && requestsOf(operation).find(({ examples }) => examples.includes(`body ${name}`))
  if (!found) throw new Error(`${id} has no example ${name}`)
  return found
}
