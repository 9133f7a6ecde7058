import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { loadApi } from '../../src/read/load.js'
import type { Webhooks } from '../../src/runtime/webhooks.js'
import { compileErrors } from '../compile.js'
import { CORPORA, corpus, named } from '../conformance/corpora.js'
import { importFile } from './generated-code.js'

const folder = mkdtempSync(join(tmpdir(), 'twinspec-webhooks-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Documents with webhooks or callbacks: a request, its headers, and the webhook that it is of. */
const DOCUMENTS = [
  [
    'openapi/openai.yaml',
    'response_completed',
    { id: 'evt_1', created_at: 1, type: 'response.completed', data: { id: 'resp_1' } },
  ],
  ['openapi/nexmo-sms.json', 'sendAnSmsDeliveryReceipt', { msisdn: '447700900000' }],
] as const

const SECRET = Buffer.from('a secret of this test')
const own = new Set(corpus('documents'))
const documents = DOCUMENTS.filter(([file]) => own.has(file))

it.skipIf(documents.length === 0)(
  named('webhooks of real documents compile, and are received', documents),
  async () => {
    for (const [file, id, payload] of documents) {
      const api = await loadApi({ openapi: join(CORPORA, 'documents', file) })
      const files = emitAll(api, [], ['webhooks'])
      const at = (name: string) => join(import.meta.dirname, 'made', name)
      const texts = new Map(files.map(({ name, text }) => [at(name), text]))
      expect(compileErrors({ files: [at('webhooks.ts')], texts })).toEqual([])
      const out = join(folder, id)
      for (const { name, text } of files) {
        mkdirSync(dirname(join(out, name)), { recursive: true })
        writeFileSync(join(out, name), text)
      }
      const { createWebhooks } = await importFile<{
        createWebhooks: (handlers: object, options: object) => Webhooks
      }>(out, 'webhooks.ts')
      const got: unknown[] = []
      const { handle } = createWebhooks(
        { [id]: (given: unknown) => void got.push(given) },
        { secret: `whsec_${SECRET.toString('base64')}`, now: () => 5_000 },
      )
      const body = JSON.stringify(payload)
      const signature = createHmac('sha256', SECRET).update(`m1.5.${body}`).digest('base64')
      const send = (signed: string) =>
        handle(
          new Request('http://127.0.0.1/', {
            ...{ method: 'POST', body },
            headers: {
              'content-type': 'application/json',
              ...{
                'webhook-id': 'm1',
                'webhook-timestamp': '5',
                'webhook-signature': `v1,${signed}`,
              },
            },
          }),
        )
      expect([file, (await send(signature)).status, got]).toEqual([file, 200, [payload]])
      expect((await send(signature.replace(/^./, '_'))).status).toBe(401)
    }
  },
  300_000,
)
