import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from './command-line.js'

const openapi = (key: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Payments', version: '1' },
    paths: {
      '/payments': {
        post: {
          operationId: 'pay',
          [key]: {
            card: {
              request: { $ref: '#/components/schemas/Card' },
              responses: [],
              example: 'card',
            },
          },
          requestBody: {
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Card' },
                examples: { card: { value: { card: '1' } } },
              },
            },
          },
          responses: {
            200: {
              description: 'Paid',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Card' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Card: { type: 'object', required: ['card'], properties: { card: { type: 'string' } } },
      },
    },
  })

describe('names of version 1', () => {
  it('x-forms is read as x-variants, and lint names the new name', async () => {
    const folder = await folderOf({
      'old.json': openapi('x-forms'),
      'new.json': openapi('x-variants'),
    })
    const generated = async (name: string) => {
      const { code, stderr } = await twinspec(
        'generate',
        '--openapi',
        `${folder}/${name}.json`,
        '--out',
        `${folder}/${name}`,
      )
      expect(code, stderr).toBe(0)
      return readFileSync(`${folder}/${name}/http.client.ts`, 'utf8')
    }
    const current = await generated('new')
    expect(current).toContain('PayVariants')
    expect(await generated('old')).toBe(current)
    const { stdout } = await twinspec('lint', '--openapi', `${folder}/old.json`, '--verbose')
    expect(stdout).toContain('x-forms is now called x-variants')
  })

  it('lint --only takes the old id of a rule', async () => {
    const folder = await folderOf({ 'api.json': openapi('x-variants') })
    const { code, stdout } = await twinspec(
      'lint',
      '--openapi',
      `${folder}/api.json`,
      '--only',
      'variants-incomplete',
    )
    const old = await twinspec(
      'lint',
      '--openapi',
      `${folder}/api.json`,
      '--only',
      'forms-are-incomplete',
    )
    expect(old).toMatchObject({ code, stdout })
  })

  it.each([
    ['diff', '--accepted', '--baseline'],
    ['diff', '--allow-new', '--allow-missing-base'],
    ['conform', '--recorded', '--traffic'],
    ['conform', '--key', '--api-key'],
    ['pack', '--insist', '--force'],
    ['lint', '--rules', '--list-rules'],
  ])('%s %s is an error that names %s', async (verb, old, current) => {
    const { code, stderr } = await twinspec(verb, old)
    expect(code).toBe(2)
    expect(stderr).toContain(`${old} is now called ${current}`)
  })
})
