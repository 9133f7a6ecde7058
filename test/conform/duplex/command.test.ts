import { expect, it } from 'vitest'
import { commandWords } from '../../../src/conform/duplex/command.js'

it.each<[command: string, words: readonly string[] | undefined]>([
  ['node server.js', ['node', 'server.js']],
  ['  node   server.js  ', ['node', 'server.js']],
  [`node "my server.js" --name='a "b"'`, ['node', 'my server.js', '--name=a "b"']],
  [String.raw`C:\tools\node.exe "a \"b\" c" ''`, [String.raw`C:\tools\node.exe`, 'a "b" c', '']],
  [`sh -c 'cd x && exec node "y z.js"'`, ['sh', '-c', 'cd x && exec node "y z.js"']],
  ['node "server.js', undefined],
  [`node it's`, undefined],
  ['', []],
])('the words of %s', (command, words) => {
  expect(commandWords(command)).toEqual(words)
})
