import type { Server } from '../runtime/operation.js'
import { type Html, html, separated } from './html.js'

/** Servers by name: where they are, what their addresses leave to fill in, and their chains where they have one. */
export function serverTable(
  rows: readonly { readonly server: Server; readonly protocol: string }[],
): Html {
  const hasChains = rows.some(({ server }) => server.chainId !== undefined)
  const cells = rows.map(({ server: { name, url, variables, chainId }, protocol }) => {
    const filled = Object.entries(variables).map(([variable, { default: value, secret }]) =>
      secret
        ? html`<code>${variable}</code> is secret`
        : html`<code>${variable}</code> = <code>${value}</code>`,
    )
    return html`<tr><th scope="row">${name}</th><td>${protocol}</td><td><code>${url}</code></td><td>${filled.length > 0 ? separated(filled, ', ') : '–'}</td>${hasChains && html`<td>${chainId ?? '–'}</td>`}</tr>`
  })
  return html`<div class="wide" tabindex="0" role="group" aria-label="Servers"><table><thead><tr><th scope="col">name</th><th scope="col">protocol</th><th scope="col">address</th><th scope="col">variables</th>${hasChains && html`<th scope="col">chain id</th>`}</tr></thead><tbody>${cells}</tbody></table></div>`
}
