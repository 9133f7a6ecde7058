import { createServer, notOffered } from './generated/openai/server.js'

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'gpt-4o' } as const

async function* chunks() {
  for (const content of ['Sheep', ' sleep', ' deep'])
    yield {
      ...HEAD,
      object: 'chat.completion.chunk' as const,
      choices: [{ index: 0, delta: { content }, finish_reason: 'stop' as const }],
    }
}

export const server = createServer(
  {
    ...notOffered,
    createChatCompletion: ({ body }) =>
      body.stream === true
        ? { status: 200, body: chunks() }
        : {
            status: 200,
            body: {
              ...HEAD,
              object: 'chat.completion',
              choices: [
                {
                  index: 0,
                  finish_reason: 'stop',
                  message: { role: 'assistant', content: 'Arr!', refusal: null },
                  logprobs: null,
                },
              ],
            },
          },
    createFile: ({ body }) => ({
      status: 200,
      body: {
        id: 'file-1',
        object: 'file',
        bytes: body.file.size,
        created_at: 1_700_000_000,
        expires_at: 1_700_000_001,
        filename: body.file.name,
        purpose: 'fine-tune',
        status: 'uploaded',
      },
    }),
    createSpeech: () => ({ status: 200, body: new Blob(['RIFF'], { type: 'audio/mpeg' }) }),
  },
  { authenticate: { ApiKeyAuth: (token) => (token === 'sk-test' ? {} : undefined) } },
)
