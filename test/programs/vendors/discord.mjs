import { REST } from '@discordjs/rest'

const CHANNEL = '1090000000000000001'

export async function run(url, print) {
  const rest = new REST({ api: `${url}/api`, version: '10', retries: 0 }).setToken('token')
  const message = await rest.post(`/channels/${CHANNEL}/messages`, {
    body: {
      content: 'Shall we?',
      components: [
        { type: 1, components: [{ type: 2, style: 1, label: 'Yes', custom_id: 'yes' }] },
      ],
    },
  })
  print(`${message.channel_id}: ${message.content}`)
  // Fields beside the file: the document declares them, and does not declare `payload_json`.
  const { content, attachments } = await rest.post(`/channels/${CHANNEL}/messages`, {
    body: { content: 'The file' },
    files: [{ name: 'hello.txt', data: Buffer.from('hello'), contentType: 'text/plain' }],
    appendToFormData: true,
  })
  for (const { filename, size } of attachments) print(`${content} ${filename}: ${size} bytes`)
}
