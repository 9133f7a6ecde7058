import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type HttpLinkOptions, httpLink } from 'twinspec/runtime/links/http'
import { stdioLink } from 'twinspec/runtime/links/stdio'

/** The generated client in the folder of the command line, and the link to the server that it names. */
export const createClientLink = async (options: HttpLinkOptions) => {
  const [, , folder = '', kind = '', ...rest] = process.argv
  const { createRpcClient } = await import(pathToFileURL(`${folder}/rpc.client.ts`).href)
  const ended = new AbortController()
  const [first = '', ...more] = rest
  if (kind === 'http') return { createRpcClient, link: httpLink(first, options), ended }
  const child = spawn(first, more, { stdio: ['pipe', 'pipe', 'inherit'] })
  ended.signal.addEventListener('abort', () => child.kill())
  const link = stdioLink({ input: child.stdout, output: child.stdin })
  return { createRpcClient, link, ended }
}

/** Tries for two seconds. */
export const until = async (is: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 100 && !(await is()); tries += 1) await setTimeout(20)
}

// biome-ignore lint/suspicious/noExplicitAny: the types of generated code are tested elsewhere.
export type Rpc = any
