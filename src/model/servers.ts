import type { Server } from '../runtime/operation.js'
import { withoutTrailingSlashes } from '../runtime/shared/trailing.js'

/** The path of a server's URL, with its templates: `/shop/{apiKey}`. A variable before the path may be a whole URL. */
export const pathOfServer = ({ url, variables }: Server): string =>
  withoutTrailingSlashes(
    url
      .replace(/^\{([^{}]+)\}(?!:)/, (_, name: string) => {
        const path = (variables[name]?.default ?? '').replace(HOST, '')
        return path.startsWith('/') ? path : ''
      })
      .replace(HOST, ''),
  )

/** Whether a URL is that of a WebSocket. */
export const isSocketUrl = (url: string | undefined): boolean => /^wss?:/i.test(url ?? '')

/** The scheme and host of a server's URL, in lower case; undefined if it has none. */
export const hostOf = ({ url }: Server): string | undefined => HOST.exec(url)?.[0].toLowerCase()

/** The scheme may be a variable too: `{scheme}://{host}:{port}/v1`. */
const HOST = /^(?:(?:[a-z][a-z\d+.-]*|\{[^{}]*\}):)?\/\/[^/]*/i
