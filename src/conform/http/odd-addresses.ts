import type { HttpParameter } from '../../model/http-content.js'
import { httpOperations } from '../../model/operations.js'
import { encodeStrictly, templateNames } from '../../runtime/shared/template.js'
import { splitUrl, withoutQuery } from '../../runtime/wire/routes.js'
import type { Sent } from '../../traffic/exchange.js'
import type { Case, Plan, Session } from '../case.js'
import { shownValues, whyNot } from '../cases/input.js'
import { collectShown } from '../values/shown-values.js'
import { writeHttp } from '../wire/write-request.js'
import { sendMalformed } from './send-malformed.js'
import type { HttpSubject } from './subject.js'

/**
 * Addresses that are unusual, or no valid text. A gateway may reject them in its own way, so only a server error is reported: none
 * of them may cause one (RFC 9110, 15.5).
 */
export const oddAddressCases = (plan: Plan, subjects: readonly HttpSubject[]): readonly Case[] => [
  ...oddIdentifiers(plan),
  ...subjects.flatMap(oddQueries),
]

/** For each identifier in a path, in the operation that reads it; another method might write what it is called. */
const oddIdentifiers = (plan: Plan): readonly Case[] => {
  const { api, target, checker } = plan
  const making = collectShown(api, checker)
  return httpOperations(api)
    .filter(({ method }) => method === 'GET')
    .flatMap((operation): readonly Case[] => {
      const name = templateNames(operation.path).at(-1)
      const last = operation.parameters.find((one) => one.in === 'path' && one.name === name)
      if (last === undefined || last.secret === true) return []
      if (whyNot(operation, plan) !== undefined) return []
      const { parameters = {} } = shownValues(operation, making)
      const id = `path.${last.name}`
      const sent = writeHttp(operation, { parameters: { ...parameters, [id]: PLACE } }, target)
      if (sent?.url.includes(PLACE) !== true) return []
      const run = async (session: Session): Promise<void> => {
        for (const { title, text } of IDENTIFIERS) {
          const odd: Sent = { ...sent, url: sent.url.replace(PLACE, text) }
          await sendMalformed(session, operation, title, odd, { isForeign: true })
        }
      }
      const cost = IDENTIFIERS.length
      return [{ name: `${operation.id}, odd values of ${last.name}`, operation, cost, run }]
    })
}

const PLACE = 'place-of-the-value'

const IDENTIFIERS = [
  { title: 'an identifier with an encoded slash', text: 'a%2Fb' },
  { title: 'an identifier with an encoded percent sign', text: 'a%25b' },
  { title: 'an identifier with a null byte', text: 'a%00b' },
  { title: 'an identifier with other letters', text: '%C3%A9%E6%BC%A2%F0%9F%94%91' },
  { title: 'an identifier that is no UTF-8', text: '%FF' },
  { title: 'an identifier with a broken escape', text: '%zz' },
  { title: 'an identifier of 2,000 letters', text: 'a'.repeat(2_000) },
  { title: 'an identifier named like a member of each object', text: '__proto__' },
]

/** For the parameters of a query that only reads. */
const oddQueries = ({ operation, shown: [{ sent }] }: HttpSubject): readonly Case[] => {
  if (operation.method !== 'GET') return []
  return operation.parameters
    .filter((one) => one.in === 'query' && one.mediaType === undefined && one.secret !== true)
    .map((parameter): Case => {
      const { name } = parameter
      const rows = queriesOf(sent, parameter)
      const run = async (session: Session): Promise<void> => {
        for (const { title, url } of rows) {
          const odd = { ...sent, url }
          await sendMalformed(session, operation, title, odd, { isForeign: true })
        }
      }
      return { name: `${operation.id}, odd values of ${name}`, operation, cost: rows.length, run }
    })
}

const queriesOf = ({ url }: Sent, { name }: HttpParameter) => {
  const key = encodeStrictly(name)
  const path = withoutQuery(url)
  const [, query] = splitUrl(url)
  const fields = query.split('&').filter((one) => one !== '')
  const others = fields.filter((one) => one.split('=')[0] !== key)
  const value = fields.find((one) => one.split('=')[0] === key)?.split('=')[1] ?? '1'
  const withText = (...texts: readonly string[]) =>
    `${path}?${[...others, ...texts.map((text) => `${key}=${text}`)].join('&')}`
  return [
    { title: `${name} twice`, url: withText(value, value) },
    { title: `${name} twice, with two values`, url: withText(value, `${value}1`) },
    { title: `${name} without a value`, url: withText('') },
    {
      title: `${name} as an object`,
      url: `${withText().replace(/\?$/, '')}${others.length > 0 ? '&' : '?'}${key}%5Ba%5D=${value}`,
    },
    { title: `${name} that is no UTF-8`, url: withText('%FF') },
    { title: `${name} with a broken escape`, url: withText('%zz') },
    { title: `${name} with a null byte`, url: withText('a%00b') },
  ]
}
