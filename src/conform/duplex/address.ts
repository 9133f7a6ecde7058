import { isSocketUrl } from '../../model/servers.js'

/** The address of a server whose messages are on its standard input and output; `Target.stdio` has its command. */
export const STDIO_URL = 'stdio:'

/** Whether both sides send at any time over the connection to a URL. */
export const isDuplexUrl = (url: string | undefined): boolean =>
  isSocketUrl(url) || url === STDIO_URL

/** The scheme, host and port of a URL. */
export const originOf = (url: string): string => (url === STDIO_URL ? url : new URL(url).origin)
