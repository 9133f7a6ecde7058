import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { File } from '../emit/file.js'
import { isObject } from '../model/json.js'
import { messageOf } from '../runtime/shared/message-of.js'

/** Loads `createClient` of a module. Throws ClientError if the module cannot be loaded or does not export it. */
export const loadClient = async (path: string): Promise<CreateClient> => {
  const module: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href).catch(
    (cause: unknown) => {
      throw new ClientError(`${path} cannot be loaded: ${messageOf(cause)}`, { cause })
    },
  )
  const create = isObject(module) ? module.createClient : undefined
  if (!isFunction(create)) throw new ClientError(`${path} exports no createClient`)
  return (options) => {
    const client = create(options)
    return isObject(client) ? { http: client.http, rpc: client.rpc } : {}
  }
}

/** `createClient` of a package or of generated code, of any version. */
export type CreateClient = (options: object) => LoadedClient

/** Its members are named by the operation ids of the documents, so their types are unknown. */
export type LoadedClient = { readonly http?: unknown; readonly rpc?: unknown }

/** Thrown if a client cannot be loaded: another tool packed it, or its code is for another platform. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
}

/** A member of a client as a function; undefined if it has no function with that name. */
export const memberOf = (
  owner: unknown,
  name: string,
): ((...args: readonly unknown[]) => unknown) | undefined => {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return undefined
  const member: unknown = Reflect.get(owner, name)
  return isFunction(member) ? (...args) => Reflect.apply(member, owner, args) : undefined
}

const isFunction = (value: unknown): value is (...args: readonly unknown[]) => unknown =>
  typeof value === 'function'

/** Creates a folder for the code of old clients; `remove` deletes it. */
export const createClientFolder = (): ClientFolder => {
  const root = mkdtempSync(join(tmpdir(), 'twinspec-compatibility-'))
  return {
    write: (files) => {
      for (const { name, text } of files) {
        const path = join(root, name)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
      return root
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export type ClientFolder = {
  /** Writes files below the folder, and returns its path. */
  readonly write: (files: readonly File[]) => string
  readonly remove: () => void
}
