/** A language server of generated code: each `wrong` in a text is an error. It is the process of a client of others. */
import { setTimeout as pause } from 'node:timers/promises'
import { stdioLink } from 'twinspec/runtime/links/stdio'
import { serveLink } from 'twinspec/runtime/server'
import { createServer, notOffered } from './generated/server.js'

const texts = new Map<string, string>()
let isShutDown = false

const server = createServer({
  ...notOffered,
  initialize: async ({ clientInfo }, { peer }) => {
    await peer?.notify.windowLogMessage({ type: 3, message: `hello ${clientInfo?.name}` })
    return {
      capabilities: {
        hoverProvider: true,
        textDocumentSync: 1,
        executeCommandProvider: { commands: ['build'], workDoneProgress: true },
      },
      serverInfo: { name: 'wrong words' },
    }
  },
  initialized: () => undefined,
  setTrace: () => undefined,
  textDocumentDidOpen: async ({ textDocument: { uri, text, version } }, { peer }) => {
    texts.set(uri, text)
    const diagnostics = text.split('\n').flatMap((line, at) =>
      [...line.matchAll(/wrong/g)].map(({ index }) => ({
        range: { start: { line: at, character: index }, end: { line: at, character: index + 5 } },
        severity: 1 as const,
        message: 'this is wrong',
      })),
    )
    await peer?.notify.textDocumentPublishDiagnostics({ uri, version, diagnostics })
  },
  textDocumentHover: ({ textDocument: { uri }, position: { line, character } }) => {
    const text = texts.get(uri)?.split('\n')[line] ?? ''
    const word = [...text.matchAll(/\w+/g)].find(
      ({ 0: found, index }) => index <= character && character <= index + found.length,
    )
    return word ? { contents: { kind: 'markdown', value: `**${word[0]}**` } } : null
  },
  workspaceExecuteCommand: async ({ arguments: [steps] = [] }, { signal, progress, peer }) => {
    await progress({ kind: 'begin', title: 'building', percentage: 0 })
    for (let step = 1; step <= Number(steps); step += 1) {
      await pause(20, undefined, { signal })
      await progress({ kind: 'report', percentage: step * 10 })
    }
    await progress({ kind: 'end' })
    const edited = await peer?.call.workspaceApplyEdit({ label: 'built', edit: {} })
    return edited?.applied ? 'built' : 'rejected'
  },
  shutdown: () => {
    isShutDown = true
    return null
  },
  exit: () => process.exit(isShutDown ? 0 : 1),
})

const streams = { input: process.stdin, output: process.stdout }
await serveLink(server, stdioLink(streams, { framing: 'content-length' }))
