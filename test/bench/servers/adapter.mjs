// What a Request costs until it is a Response, without a socket; `servers.ts` bundles it.
import assert from 'node:assert/strict'
import { Hono } from 'hono'
import { toFetchHandler } from '../../../src/runtime/server.ts'
import { cpuRace, inFlight } from '../cpu-race.ts'
import { answerWith, ourServer } from './handlers.mjs'

const { rounds, times, results, path, sent, want } = JSON.parse(process.argv[2])

process.env.NODE_ENV = 'production'

const ours = toFetchHandler(ourServer(results))
const hono = new Hono()
const answer = answerWith(results)
hono.post(path, async (context) => context.json(answer(await context.req.json())))

const body = JSON.stringify(sent)
const headers = { 'content-type': 'application/json' }
const asked = (handle) => async () => {
  const request = new Request(`http://service.example${path}`, { method: 'POST', headers, body })
  return (await handle(request)).text()
}

const sides = { ours: asked(ours), hono: asked((request) => hono.fetch(request)) }
for (const [side, ask] of Object.entries(sides))
  assert.deepEqual(JSON.parse(await ask()), want, side)

const works = Object.entries(sides).map(([side, ask]) => [side, (count) => inFlight(ask, count, 1)])
const report = (progress) => process.send({ report: progress })
const result = await cpuRace(Object.fromEntries(works), { rounds, times, report })
process.send({ sides: result }, () => process.exit())
