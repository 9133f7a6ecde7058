import { createServer, notOffered } from './generated/discord/server.js'

const AUTHOR = {
  id: '1',
  username: 'ship',
  avatar: null,
  discriminator: '0000',
  public_flags: 0,
  flags: 0,
  global_name: null,
  primary_guild: null,
}

export const server = createServer(
  {
    ...notOffered,
    create_message: ({ path, body }) => {
      const file = 'files[0]' in body ? body['files[0]'] : undefined
      return {
        status: 200,
        body: {
          type: 0,
          content: body.content ?? '',
          mentions: [],
          mention_roles: [],
          attachments: file
            ? [
                {
                  id: '3',
                  filename: file.name,
                  size: file.size,
                  url: 'https://cdn.discordapp.com/hello.txt',
                  proxy_url: 'https://media.discordapp.net/hello.txt',
                },
              ]
            : [],
          embeds: [],
          timestamp: '2026-01-01T00:00:00Z',
          edited_timestamp: null,
          flags: 0,
          components: [
            { type: 1, id: 1, components: [{ type: 2, id: 2, style: 1, label: 'Yes' }] },
            { type: 10, id: 3, content: 'a text' },
          ],
          id: '2',
          channel_id: path.channel_id,
          author: AUTHOR,
          pinned: false,
          mention_everyone: false,
          tts: false,
        },
      }
    },
  },
  { authenticate: { BotToken: (token) => (token === 'Bot token' ? {} : undefined) } },
)
