import { parseArgs } from 'node:util'
import type { Profile } from '../conform/profile-list.js'
import { suggestion } from '../model/nearest.js'
import { type Io, UsageError } from './io.js'

/** What the flags of `conform` ask for. Throws UsageError for what cannot be meant. */
export const readConformFlags = async (
  args: ConformArgs,
  rawArgs: readonly string[],
  { env }: Pick<Io, 'env'>,
): Promise<ConformFlags> => {
  const text = (flag: string) => args[flag] as string | undefined
  const [url, ...more] = args._
  if (more.length > 0) throw refusal(`"${more[0]}" is a word too many`)
  const traffic = text('traffic')
  if (traffic !== undefined && url !== undefined)
    throw refusal(`--traffic checks files, and ${url} is a server: give one of them`)
  const maxTime = text('max-time')
  return {
    url,
    traffic,
    servers: serversOf(rawArgs),
    key: text('api-key') ?? (env.TWINSPEC_KEY || undefined),
    only: listOf(text('only')),
    seed: numberOf('seed', text('seed') ?? '1'),
    maxExamples: numberOf('max-examples', text('max-examples') ?? '10'),
    ...rateOf(text('rate')),
    maxSeconds: maxTime === undefined ? undefined : secondsOf('max-time', maxTime),
    disruptive: args.disruptive === true,
    stateless: args.stateless === true,
    readOnly: args['read-only'] === true,
    profile: await profileOf(text('profile')),
  }
}

export type ConformArgs = {
  readonly _: readonly string[]
  readonly [flag: string]: unknown
}

export type ConformFlags = {
  readonly url: string | undefined
  /** A file or folder of traffic; nothing is sent then. */
  readonly traffic: string | undefined
  readonly servers: Readonly<Record<string, string>>
  readonly key: string | undefined
  readonly only: readonly string[] | undefined
  readonly seed: number
  readonly maxExamples: number
  readonly rate?: number | null
  readonly maxSeconds: number | undefined
  readonly disruptive: boolean
  readonly stateless: boolean
  readonly readOnly: boolean
  readonly profile: Profile | undefined
}

/** Flags that may stand more than once. */
export const CONFORM_REPEATS: readonly string[] = ['server']

export const refusal = (what: string, cause?: unknown): UsageError =>
  new UsageError(`twinspec conform: ${what}`, { cause })

/** As they stand between the commas: whether a comma parts two names or belongs to one is for those who know the names. */
const listOf = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').filter((one) => one.trim() !== '')

/** `testnet=https://rpc.example/zone/{apiKey},mainnet=…`, and the flag as often as one likes. */
const serversOf = (rawArgs: readonly string[]): Readonly<Record<string, string>> => {
  const { values } = parseArgs({
    args: [...rawArgs],
    options: { server: { type: 'string', multiple: true } },
    strict: false,
    allowPositionals: true,
  })
  const given = (values.server ?? []).filter((one) => typeof one === 'string')
  // A comma may stand in a URL; between two servers a name follows it.
  const pairs = given
    .flatMap((text) => text.split(/,(?=[^,=/?]+=)/))
    .map((pair) => {
      const [, name, url] = /^\s*([^=/]+)=(.+)$/.exec(pair) ?? []
      if (name !== undefined && url !== undefined) return [name.trim(), url.trim()] as const
      throw refusal(`--server wants a name of the documents and a URL, name=https://…, not ${pair}`)
    })
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw refusal(`--server gives ${twice} two URLs`)
  return Object.fromEntries(pairs)
}

const rateOf = (text: string | undefined): Pick<ConformFlags, 'rate'> => {
  if (text === undefined) return {}
  const rate = numberOf('rate', text)
  return { rate: rate === 0 ? null : rate }
}

const numberOf = (flag: string, text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw refusal(`--${flag} must be a whole number, not ${text}`)
}

/** `90`, `90s`, `5m` or `1h`. */
const secondsOf = (flag: string, text: string): number => {
  const [, count, unit = 's'] = /^(\d{1,7})([smh]?)$/.exec(text) ?? []
  if (count === undefined)
    throw refusal(`--${flag} must be a time such as 90, 90s, 5m or 1h, not ${text}`)
  return Number(count) * (unit === 'h' ? 3_600 : unit === 'm' ? 60 : 1)
}

const profileOf = async (name: string | undefined): Promise<Profile | undefined> => {
  if (name === undefined) return undefined
  const { PROFILES } = await import('../conform/profile-list.js')
  const found = PROFILES.find((one) => one.name === name)
  if (found) return found
  const names = PROFILES.map((one) => one.name)
  throw refusal(`there is no profile ${name}${suggestion(name, names)}`)
}
