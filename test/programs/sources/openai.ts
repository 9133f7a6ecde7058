import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpClient } from './generated/openai/http.client.js'

/** A chat, a streamed chat, the upload of a file, and speech that is written to a file. */
export async function run(server: string, print: (line: string) => void): Promise<void> {
  const openai = createHttpClient({ server, auth: { ApiKeyAuth: 'sk-test' } })

  const completion = await openai.createChatCompletion({
    body: {
      model: 'gpt-4o',
      messages: [
        { role: 'developer', content: 'Talk like a pirate.' },
        { role: 'user', content: 'Are semicolons optional in JavaScript?' },
      ],
    },
  })
  print(completion.choices[0]?.message.content ?? '')

  const stream = await openai.createChatCompletion({
    body: {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Say "Sheep sleep deep" ten times fast!' }],
      stream: true,
    },
  })
  for await (const chunk of stream) print(chunk.choices[0]?.delta.content ?? '')

  const file = await openai.createFile({
    body: {
      file: new File(['{"prompt":"a"}\n'], 'input.jsonl', { type: 'application/jsonl' }),
      purpose: 'fine-tune',
    },
  })
  print(`${file.id}: ${file.bytes} bytes`)

  const speech = await openai.createSpeech({
    body: { model: 'tts-1', voice: 'alloy', input: 'the quick brown fox jumped' },
  })
  if (speech instanceof Blob) {
    const path = join(await mkdtemp(join(tmpdir(), 'speech-')), 'speech.mp3')
    await writeFile(path, Buffer.from(await speech.arrayBuffer()))
    print(`${(await stat(path)).size} bytes of speech`)
  }
}
