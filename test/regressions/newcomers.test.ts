import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec, twinspec } from './command-line.js'

const HEAD = `openapi: 3.1.0
info: { title: T, version: '1' }
servers: [{ url: 'http://api.example' }]
paths:
  /one:
    get:
      operationId: hasOwnProperty
      responses:
        '204': { description: Nothing. }
`

it('lint --fix adds components.responses beside components.schemas', async () => {
  const schemas = 'components:\n  schemas:\n    Used:\n      type: object\n'
  const text = HEAD.replace(
    "'204': { description: Nothing. }",
    "'200':\n          description: All.",
  )
  const folder = await folderOf({ 'api.yaml': text + schemas })
  const path = join(folder, 'api.yaml')
  const { stdout, stderr } = await twinspec('lint', '--fix', '--openapi', path)
  expect(stdout + stderr).not.toContain('its layout leaves no place')
  const fixed = readFileSync(path, 'utf8')
  expect(fixed).toMatch(/components:\n {2}schemas:\n {4}Used:\n {6}type: object\n/)
  expect(fixed).toContain('\n  responses:\n    InvalidRequest:\n')
})

it('the mock answers an operation that is called hasOwnProperty', async () => {
  const folder = await folderOf({ 'api.yaml': HEAD })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const path = join(folder, 'api.yaml')
  const { said, code } = startTwinspec(['mock', path, '--port', '0'], ending.signal)
  const url = () => /http:\/\/127\.0\.0\.1:\d+/.exec(said.stdout + said.stderr)?.[0]
  await expect.poll(url, { timeout: 30_000 }).toBeDefined()
  expect((await fetch(`${url()}/one`)).status).toBe(204)
  ending.abort()
  await code
})
