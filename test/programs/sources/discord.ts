import { createHttpClient } from './generated/discord/http.client.js'

const CHANNEL = '1090000000000000001'

/** A message with a row of components, then one with a file. */
export async function run(server: string, print: (line: string) => void): Promise<void> {
  const discord = createHttpClient({ server, auth: { BotToken: 'Bot token' } })

  const message = await discord.create_message({
    path: { channel_id: CHANNEL },
    body: {
      content: 'Shall we?',
      components: [
        { type: 1, components: [{ type: 2, style: 1, label: 'Yes', custom_id: 'yes' }] },
      ],
    },
  })
  print(`${message.channel_id}: ${message.content}`)
  for (const component of message.components) {
    if (component.type === 1)
      for (const child of component.components)
        print(child.type === 2 ? `button ${child.label}` : `component ${child.type}`)
    else if (component.type === 10) print(`text ${component.content}`)
  }

  const { content, attachments } = await discord.create_message({
    path: { channel_id: CHANNEL },
    contentType: 'multipart/form-data',
    body: {
      content: 'The file',
      'files[0]': new File(['hello'], 'hello.txt', { type: 'text/plain' }),
    },
  })
  for (const { filename, size } of attachments) print(`${content} ${filename}: ${size} bytes`)
}
