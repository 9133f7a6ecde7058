import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVersions } from '../../src/cli/version.js'
import { conform } from '../../src/conform/conform.js'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { initFiles } from '../../src/init/init.js'
import { lint } from '../../src/lint/lint.js'
import { startMock } from '../../src/mock/mock.js'
import type { Api } from '../../src/model/api.js'
import { loadApi } from '../../src/read/load.js'
import { createFolder } from './begun-project.js'

const project = createFolder()
let api: Api

beforeAll(async () => {
  project.write(
    initFiles({ name: 'Parcels', isNew: true, adopted: undefined, versions: startVersions }),
  )
  const spec = join(project.folder, 'spec')
  api = await loadApi({ openapi: join(spec, 'openapi.yaml'), openrpc: join(spec, 'openrpc.yaml') })
  const files = emitAll(api, [], [...DEFAULT_KINDS, 'server'])
  project.write(files.map(({ name, text }) => ({ path: `generated/${name}`, text })))
})

afterAll(() => project.remove())

describe('the documents that a project begins with', () => {
  it('are clean, small and speak both protocols', async () => {
    const findings = await lint(api, { only: undefined })
    expect(findings.filter(({ level }) => level !== 'note')).toEqual([])
    expect(api.operations.map(({ id }) => id).sort()).toEqual([
      ...['getParcel', 'parcelCount', 'parcelGet', 'sendParcel'],
    ])
    expect(api.schemas.get('Parcel')?.usedBy).toBe('both')
  })

  it('compile with their server under the strictest settings', () => {
    expect(project.diagnose()).toEqual([])
  })

  it('and the compiler sees what is wrong there', () => {
    project.write([{ path: 'src/wrong.ts', text: WRONG }])
    expect(project.diagnose()).toEqual([expect.stringMatching(/^wrong\.ts: TS2353/)])
    project.write([{ path: 'src/wrong.ts', text: 'export {}\n' }])
  })

  it('have a server that keeps them', async () => {
    const url = await project.start('src/server.ts')
    const { findings, notTested, coverage, cases } = await conform(api, {
      url,
      rate: null,
      key: 'parcel-token',
    })
    expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
    expect(cases).toBeGreaterThan(150)
    for (const { kind, met, declared } of coverage)
      expect([kind, met.length]).toEqual([kind, declared.length])
    expect(notTested.flatMap(({ what }) => what).filter((name) => /example/.test(name))).toEqual([])
  })

  it('and a mock, which the generated clients call', async () => {
    const mock = await startMock(api)
    try {
      const { createHttpClient } = await project.load('generated/http.client.ts')
      const { createRpcClient } = await project.load('generated/rpc.client.ts')
      const http = createHttpClient?.({ server: mock.httpUrl, auth: { token: 'any' } })
      const rpc = createRpcClient?.({ server: `${mock.url}/rpc` })
      const parcel = { id: 'p-1001', to: 'Via Appia 7', grams: 850, status: 'waiting' }
      expect(await http.sendParcel({ body: { to: 'Via Appia 7', grams: 850 } })).toEqual(parcel)
      expect(await rpc.parcelGet('p-1001')).toEqual(parcel)
      await expect(rpc.parcelGet('p-9999')).rejects.toMatchObject({ name: 'RpcError', code: 1 })
      const verdict = await conform(api, {
        url: mock.url,
        key: 'parcel-token',
        rate: null,
        stateless: true,
        maxExamples: 2,
      })
      expect(verdict.findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
      expect(verdict.cases).toBeGreaterThan(100)
    } finally {
      await mock.stop()
    }
  })
})

const WRONG = `import type { Parcel } from '../generated/http.types.js'
export const parcel: Parcel = { id: 'p-1', to: 'a', grams: 1, status: 'waiting', colour: 'red' }
`
