import type { ClientSettings } from '../client-options.js'
import type { Operation } from '../operation.js'
import type { IncomingResponse } from '../transport/transport.js'

/**
 * Reports to `onWarning` that a response announces a deprecation or sunset, and rejects with its errors. Most responses do not,
 * and need no promise; for the others, the code that reads the headers is loaded.
 */
export const reportDeprecation = (
  { options: { onWarning }, reported }: ClientSettings,
  response: IncomingResponse,
  operations: () => readonly Operation[],
  redact: (text: string) => string,
): Promise<void> | undefined => {
  if (!onWarning) return undefined
  const deprecation = response.header('deprecation')
  const sunset = response.header('sunset')
  if (deprecation === null && sunset === null) return undefined
  const sent = { deprecation, sunset, link: response.header('link') }
  return import('./read-deprecation.js').then(async ({ readDeprecation }) => {
    const warning = readDeprecation(sent, operations(), reported, redact)
    if (warning) await onWarning(warning)
  })
}
