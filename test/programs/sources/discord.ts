import { createHttpClient } from './generated/discord/http.client.js'

const CHANNEL = '1090000000000000001'

/** A message with a row of components, then one with a file. */
export async function run(server: string, print: (line: string) => void): Promise<void> {
  const discord = createHttpClient({ server, auth: { BotToken: 'Bot token' } })

  const asked = await discord.create_message({
    path: { channel_id: CHANNEL },
    body: {
      content: 'Shall we?',
      components: [
        { type: 1, components: [{ type: 2, style: 1, label: 'Yes', custom_id: 'yes' }] },
      ],
    },
  })
  print(asked.id)
  for (const component of asked.components)
    print(component.type === 1 ? `a row of ${component.components.length}` : `a ${component.type}`)

  const sent = await discord.create_message({
    path: { channel_id: CHANNEL },
    contentType: 'multipart/form-data',
    body: { 'files[0]': new File(['hello'], 'hello.txt', { type: 'text/plain' }) },
  })
  for (const { filename, size } of sent.attachments) print(`${filename}: ${size} bytes`)
}
