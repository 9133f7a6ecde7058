import { expect, it } from 'vitest'
import { ran } from './command.js'

it.each<[string, readonly string[], string]>([
  [
    'a part of a name of a rule',
    ['explain', 'stream-item'],
    'stream-item: did you mean stream-item-invalid?',
  ],
  ['a word of no rule', ['explain', 'zebra'], 'zebra: twinspec explain lists all rules'],
  [
    'a word of very many rules',
    ['explain', 'property'],
    'property: twinspec explain lists all rules',
  ],
  ['no shell', ['completion'], 'name your shell: bash, zsh, fish'],
  ['two shells', ['completion', 'bash', 'zsh'], 'name one shell: bash, zsh, fish'],
  ['an unknown shell', ['completion', 'powershell'], 'powershell: there are bash, zsh, fish'],
])('%s: the message says what to write', async (_, args, end) => {
  const { code, stderr } = await ran(args)
  expect({ code, stderr: stderr.slice(-end.length - 1) }).toEqual({ code: 2, stderr: `${end}\n` })
})
