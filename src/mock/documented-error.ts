import type { HttpOperation } from '../model/api.js'
import { authorize } from '../runtime/http/security.js'
import type { Refusal } from '../runtime/server/request.js'
import type { Credentials } from '../runtime/shared/credentials.js'
import { type Answer, type Ask, type Exchange, jsonAnswer, preferring } from './exchange.js'

/**
 * What the document shows for a refusal: Prism is asked for that status with a request that it takes. Where the document
 * declares no such status it is a plain sentence.
 */
export const rejectAsDocumented = async (
  operation: HttpOperation,
  refusal: Refusal,
  ask: Ask,
): Promise<Answer> => {
  const { status, message, headers = {} } = refusal
  const code = String(status)
  if (operation.responses.some((one) => one.status === code)) {
    const answer = await ask(preferring(shownRequest(operation), { code }))
    if (answer.status === status) return { ...answer, headers: { ...answer.headers, ...headers } }
  }
  return jsonAnswer(status, { error: message }, headers)
}

/** A request of the document's own examples. */
const shownRequest = (operation: HttpOperation): Exchange => {
  const { method, path, parameters, body } = operation
  const shown = (where: string, name: string) =>
    parameters.find((one) => one.in === where && one.name === name)?.examples[0]?.value ?? name
  const target = path.replace(/\{([^}]*)\}/g, (_, name: string) =>
    encodeURIComponent(String(shown('path', name))),
  )
  const required = parameters.filter((one) => one.required)
  const shownQuery = new URLSearchParams(
    required.flatMap(({ in: where, name }) =>
      where === 'query' ? [[name, String(shown(where, name))]] : [],
    ),
  ).toString()
  const headers = required.flatMap(({ in: where, name }) =>
    where === 'header' ? [[name.toLowerCase(), String(shown(where, name))]] : [],
  )
  const opened = authorize(operation, anyCredentials(operation))
  const own = 'faults' in opened ? { headers: {}, query: [], cookies: [] } : opened
  const query = [shownQuery, ...own.query].filter((one) => one !== '').join('&')
  const content = body?.content.find(({ examples }) => examples.length > 0)
  return {
    method,
    target: query === '' ? target : `${target}?${query}`,
    headers: {
      ...Object.fromEntries(headers),
      ...own.headers,
      ...(own.cookies.length > 0 && { cookie: own.cookies.join('; ') }),
      ...(content && { 'content-type': content.type }),
    },
    body: Buffer.from(content ? JSON.stringify(content.examples[0]?.value) : ''),
  }
}

/** Prism looks whether there are any, and refuses with 401 whatever else is asked of it where there are none. */
const anyCredentials = ({ schemes }: HttpOperation): Credentials =>
  Object.fromEntries(
    Object.entries(schemes).map(
      ([name, { kind }]) =>
        [name, kind === 'basic' ? { username: 'any', password: 'any' } : 'any'] as const,
    ),
  )
