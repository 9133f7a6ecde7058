import type { Server } from '../operation.js'

/** The server that `choice` means, its variables not filled yet. */
export const chooseServer = (servers: readonly Server[], choice: string | undefined): Server => {
  const server = choice === undefined ? servers[0] : servers.find(({ name }) => name === choice)
  if (server) return server
  if (choice === undefined) throw new TypeError('the document names no server: give a URL')
  if (!URL_START.test(choice)) {
    const names = [...new Set(servers.map(({ name }) => `'${name}'`))].join(', ')
    // Half a URL may hold a key, and what is as long as one may be it: only what looks like a name is repeated.
    const given = /^[\w.-]{1,15}$/.test(choice) ? `'${choice}'` : 'so'
    throw new TypeError(`no server is named ${given}: give a URL${names && ` or one of ${names}`}`)
  }
  // A URL may use the variables that the documented servers declare, `{apiKey}` above all.
  const declared = Object.assign({}, ...servers.map(({ variables }) => variables).reverse())
  return { name: 'as given', url: choice, variables: declared }
}

/** An address, in contrast to the name of a server. */
export const URL_START = /^(\/|[a-z][a-z\d+.-]*:\/\/)/i
