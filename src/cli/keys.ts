import { type ArgsDef, defineCommand } from 'citty'
import { jsonText } from '../model/escape.js'
import { suggestion } from '../model/nearest.js'
import { type ExitCode, type Io, UsageError, writeLine, writeStyled } from './io.js'
import { loadService } from './load-service.js'

const FLAGS: ArgsDef = {
  action: {
    type: 'positional',
    required: false,
    description: 'create, list, revoke (and the id of the key), or mnemonic',
  },
  data: {
    type: 'string',
    valueHint: 'folder',
    description:
      'The --data folder of the service (TWINSPEC_DATA), running or not; not asked where DATABASE_URL says where keys are',
  },
  name: { type: 'string', valueHint: 'words', description: 'create: what the key is for' },
  kind: {
    type: 'enum',
    options: ['private', 'public'],
    description: 'create: public where anyone may see it, as in a web page (default private)',
  },
  new: {
    type: 'boolean',
    description:
      'create: makes the store in --data where there is none, before the service first starts',
  },
  format: {
    type: 'enum',
    options: ['text', 'json'],
    description: 'list: for people or for programs (default text)',
  },
}

export const keys = defineCommand({
  meta: { name: 'keys', description: 'Makes, lists and revokes the API keys of a service' },
  args: FLAGS,
  run: ({ args, data }) => runAction(args as unknown as Given, data as Io),
})

/** What the command reads from the environment alone, for `--help`. */
export const keysVariables = async () =>
  [['DATABASE_URL', 'postgres://…, where the service keeps everything']] as const

type Flag = (typeof OPTIONS)[number]
type Given = Readonly<Record<Exclude<Flag, 'new'>, string | undefined>> & {
  readonly new: boolean | undefined
  readonly _: readonly string[]
}

const OPTIONS = ['data', 'name', 'kind', 'new', 'format'] as const

type Action = {
  /** The flags that mean something to it. */
  readonly flags: readonly Flag[]
  /** How many words follow it. */
  readonly words: number
  readonly run: (given: Given, io: Io) => Promise<void>
}

const ACTIONS: Readonly<Record<string, Action>> = {
  create: {
    flags: ['data', 'name', 'kind', 'new'],
    words: 0,
    run: async (given, io) => {
      const name = nameOf(given.name)
      const kind = given.kind === 'public' ? 'public' : 'private'
      const made = await onKeys(given, io, (all) => all.create({ name, kind }))
      // The key alone, so that a script can take it; the rest is said beside it.
      writeLine(io.stdout, made.key)
      writeLine(
        io.stderr,
        `the ${kind} key ${made.id}, which signs with wallet ${made.wallet}: keep it, for it is shown this once`,
      )
    },
  },
  list: {
    flags: ['data', 'format'],
    words: 0,
    run: async (given, io) => {
      const all = await onKeys(given, io, ({ list }) => list())
      if (given.format === 'json') writeStyled(io.stdout, jsonText(all, 2))
      else for (const line of table(all)) writeLine(io.stdout, line)
    },
  },
  revoke: {
    flags: ['data'],
    words: 1,
    run: async (given, io) => {
      const id = given._[1] ?? ''
      if (/^ts_/.test(id)) {
        throw new UsageError(
          'twinspec keys revoke: it takes the id of a key, which stands between its two underscores',
        )
      }
      if (!(await onKeys(given, io, (all) => all.revoke(id)))) {
        throw new UsageError(
          `twinspec keys revoke: there is no key ${id} in force: \`twinspec keys list\` names them`,
        )
      }
      writeLine(
        io.stdout,
        `the key ${id} is revoked; a running service refuses it within 2 seconds`,
      )
    },
  },
  mnemonic: {
    flags: [],
    words: 0,
    run: async (_, { stdout }) => {
      const { newMnemonic } = await service(() => import('../service/wallet/mnemonic.js'))
      writeLine(stdout, newMnemonic())
    },
  },
}

const runAction = async (given: Given, io: Io): Promise<ExitCode> => {
  const [name, ...words] = given._
  const names = Object.keys(ACTIONS)
  if (name === undefined) throw new UsageError(`twinspec keys: say what to do: ${names.join(', ')}`)
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!action) {
    throw new UsageError(`twinspec keys: there is nothing called ${name}${suggestion(name, names)}`)
  }
  for (const flag of OPTIONS) {
    if (given[flag] !== undefined && !action.flags.includes(flag)) {
      throw new UsageError(`twinspec keys ${name}: --${flag} means nothing to it`)
    }
  }
  if (words.length !== action.words) {
    const wants = action.words === 0 ? 'takes no more words' : 'needs the id of one key'
    throw new UsageError(`twinspec keys ${name}: it ${wants}`)
  }
  await action.run(given, io)
  return 0
}

const openKeys = () => import('../service/access/open-keys.js')
type WithKeys = Awaited<ReturnType<typeof openKeys>>['withKeys']
type Admin = Parameters<Parameters<WithKeys>[1]>[0]

const onKeys = async <T>(
  { data, new: isNew = false }: Given,
  { env }: Io,
  work: (keys: Admin) => Promise<T>,
): Promise<T> => {
  const { DATABASE_URL: databaseUrl, TWINSPEC_DATA: folder = '' } = env
  const place = databaseUrl ? { databaseUrl } : { folder: data ?? folder }
  if (place.folder === '') {
    throw new UsageError(
      'twinspec keys: say whose: --data with the folder of the service, or DATABASE_URL in the environment',
    )
  }
  return service(async () => (await openKeys()).withKeys(place, work, { isNew }))
}

/** By name, as errors of modules that are loaded late. */
const service = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await loadService('keys', work)
  } catch (error) {
    if (!(error instanceof Error && MENDABLE.includes(error.name))) throw error
    throw new UsageError(`twinspec keys: ${error.message}`, { cause: error })
  }
}

const MENDABLE = ['StoreError', 'StoreUnavailable']

/** Names stand in lists on terminals, one a line. */
const nameOf = (given = ''): string => {
  const name = given.trim()
  if (name.length <= MOST_LETTERS && !/\p{C}/u.test(name)) return name
  throw new UsageError(
    `twinspec keys create: --name must be ${MOST_LETTERS} letters at most, on one line`,
  )
}

const MOST_LETTERS = 100

const table = (all: Awaited<ReturnType<Admin['list']>>): readonly string[] => {
  const rows = all.map(({ id, kind, wallet, createdAt, revokedAt, name }) => [
    id,
    kind,
    String(wallet),
    createdAt.toISOString().slice(0, 19),
    revokedAt?.toISOString().slice(0, 19) ?? 'in force',
    name,
  ])
  const lines = [['ID', 'KIND', 'WALLET', 'CREATED', 'REVOKED', 'NAME'], ...rows]
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0))
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(width(column)))
      .join('  ')
      .trimEnd(),
  )
}
