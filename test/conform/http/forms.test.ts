import { describe, expect, it } from 'vitest'
import { judgeSmall, type Serve } from './small-server.js'

const paths = `
  /files:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [file]
              properties: { file: { type: string, format: binary }, title: { type: string } }
      responses: { '200': { description: Done. }, '400': { description: No. }, '415': { description: No. } }`

const right: Serve = ({ headers, text }) => {
  const [, boundary] =
    /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? []
  const isWhole = boundary !== undefined && text.trimEnd().endsWith(`--${boundary}--`)
  return { status: isWhole && /; name="file"; filename="/.test(text) ? 200 : 400 }
}

const judge = async (serve: Serve) => {
  const { rules, names } = await judgeSmall({ paths }, /, a form/, serve)
  return { rules: [...new Set(rules)], names }
}

describe('a server that takes forms', () => {
  it('is sent the example of a form as a form, with a file where one is declared', async () => {
    const shown = paths.replace(
      '      responses:',
      '            example: { file: notes, title: Notes }\n      responses:',
    )
    const { asked } = await judgeSmall({ paths: shown }, /, a form$/, right)
    const [form] = asked
    expect(form?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    const text = Buffer.from(form?.body ?? '').toString()
    expect(text).toMatch(/name="file"; filename="blob"\r\n.*\r\n\r\nnotes\r\n/)
    expect(text).toMatch(/name="title"\r\n\r\nNotes\r\n/)
  })

  it('is sent a list as the parts of a body without names', async () => {
    const mixed = `
  /parts:
    post:
      operationId: send
      requestBody:
        content:
          multipart/mixed:
            schema: { type: array }
            itemEncoding: { contentType: text/csv }
            example: [one, two]
      responses: { '200': { description: Done. } }`
    const { asked } = await judgeSmall({ paths: mixed }, /./, () => ({ status: 200 }))
    const sent = asked.find(({ body }) => body !== undefined)
    const [, boundary] =
      /^multipart\/mixed; boundary=(.+)$/.exec(sent?.headers['content-type'] ?? '') ?? []
    const part = (text: string) => `--${boundary}\r\nContent-Type: text/csv\r\n\r\n${text}\r\n`
    expect(`${sent?.body}`).toBe(`${part('one')}${part('two')}--${boundary}--\r\n`)
  })

  it('is found right where it reads well-formed ones and rejects the others', async () => {
    const { rules, names } = await judge(right)
    expect(rules).toEqual([])
    expect(names).toEqual([
      'upload, a form',
      'upload, a form without a boundary',
      'upload, a form of another boundary',
      'upload, a form that is cut off',
      'upload, a form whose parts have no names',
    ])
  })

  it('form-media-type-rejected: it knows no forms', async () => {
    expect((await judge(() => ({ status: 415 }))).rules).toEqual(['form-media-type-rejected'])
  })

  it('malformed-form-accepted: it takes whatever comes', async () => {
    expect((await judge(() => ({ status: 200 }))).rules).toEqual(['malformed-form-accepted'])
  })
})
