import type { Profile } from '../conform/profile-list.js'
import { suggestion } from '../model/nearest.js'
import type { Args } from './commands.js'
import { type Io, UsageError } from './io.js'

/** What the flags of `conform` ask for. Throws UsageError for values that cannot be used. */
export const readConformFlags = async (
  args: Args<'conform'>,
  url: string | undefined,
  { env }: Pick<Io, 'env'>,
): Promise<ConformFlags> => {
  const maxTime = args['max-time']
  return {
    url,
    traffic: args.traffic,
    servers: serversOf(args.server),
    key: args['api-key'] ?? (env.TWINSPEC_KEY || undefined),
    // Whether a comma parts two names or belongs to one is decided where the names are known.
    only: args.only?.split(',').filter((one) => one.trim() !== ''),
    seed: numberOf('seed', args.seed),
    maxExamples: numberOf('max-examples', args['max-examples']),
    ...rateOf(args.rate),
    maxSeconds: maxTime === undefined ? undefined : secondsOf('max-time', maxTime),
    disruptive: args.disruptive,
    stateless: args.stateless,
    readOnly: args['read-only'],
    profile: await profileOf(args.profile),
  }
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

export const refusal = (what: string, cause?: unknown): UsageError =>
  new UsageError(`twinspec conform: ${what}`, { cause })

/** `testnet=https://rpc.example/zone/{apiKey},mainnet=…`, and the flag as often as one likes. */
const serversOf = (given: readonly string[]): Readonly<Record<string, string>> => {
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
