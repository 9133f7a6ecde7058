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
  const { rules, names } = await judgeSmall({ paths }, /form/, serve)
  return { rules: [...new Set(rules)], names }
}

describe('a server that takes forms', () => {
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
