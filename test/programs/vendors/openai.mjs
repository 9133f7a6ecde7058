import OpenAI from 'openai'

export async function run(url, print) {
  const openai = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
  const completion = await openai.chat.completions.create({
    model: 'gpt-4o',
    messages: [
      { role: 'developer', content: 'Talk like a pirate.' },
      { role: 'user', content: 'Are semicolons optional in JavaScript?' },
    ],
  })
  print(completion.choices[0].message.content)
  const stream = await openai.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Say "Sheep sleep deep" ten times fast!' }],
    stream: true,
  })
  for await (const chunk of stream) print(chunk.choices[0].delta.content)
  const file = await openai.files.create({
    file: new File(['{"prompt":"a"}\n'], 'input.jsonl', { type: 'application/jsonl' }),
    purpose: 'fine-tune',
  })
  print(`${file.id}: ${file.bytes} bytes`)
  const speech = await openai.audio.speech.create({
    model: 'tts-1',
    voice: 'alloy',
    input: 'the quick brown fox jumped',
  })
  print(`${(await speech.arrayBuffer()).byteLength} bytes of speech`)
}
