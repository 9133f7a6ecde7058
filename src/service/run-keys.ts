import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { type KeysAdmin, keysThroughSocket } from './access/control-socket.js'
import { createKeys } from './access/keys.js'
import {
  type CommandLine,
  type Flags,
  helpText,
  type Io,
  isHelp,
  type Program,
  readFlags,
  writeLine,
} from './command-line.js'
import { FolderInUse } from './store/folder-lock.js'
import { assertLinksStayInside } from './store/links.js'
import { openStore } from './store/open-store.js'
import { StoreUnavailable } from './store/store.js'
import { UsageError } from './usage-error.js'
import { newMnemonic } from './wallet/mnemonic.js'

/** `npm run keys`: creates, lists and revokes the API keys of a service, or prints a new mnemonic. */
export const keys: Program = {
  name: 'keys',
  run: async (args, io) => {
    if (isHelp(args)) {
      io.stdout.write(helpText(HELP))
      return 0
    }
    const commandLine = readFlags(args, FLAGS)
    const [name, ...words] = commandLine.words
    const names = Object.keys(ACTIONS)
    if (name === undefined) throw new UsageError(`name an action: ${names.join(', ')}`)
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action) throw new UsageError(`there is no action ${name}: there are ${names.join(', ')}`)
    for (const flag of Object.keys(commandLine.values))
      if (!action.flags.includes(flag)) throw new UsageError(`${name} takes no --${flag}`)
    if (words.length !== action.words) {
      const expected = action.words === 0 ? 'takes no more words' : 'needs the id of one key'
      throw new UsageError(`${name} ${expected}`)
    }
    try {
      await action.run({ values: commandLine.values, words }, io)
      return 0
    } catch (error) {
      if (error instanceof StoreUnavailable) throw new UsageError(error.message, { cause: error })
      throw error
    }
  },
}

const FLAGS: Flags = {
  data: {
    says: 'The --data folder of the service (TWINSPEC_DATA), running or not; not used with DATABASE_URL',
    hint: 'folder',
  },
  name: { says: 'create: what the key is for', hint: 'words' },
  kind: {
    says: 'create: private (the default), or public where anyone may see it, as in a web page',
    hint: 'kind',
    choices: ['private', 'public'],
  },
  new: { says: 'create: makes the store in --data before the service first starts' },
  format: { says: 'list: text (the default) or json', hint: 'format', choices: ['text', 'json'] },
}

const HELP = {
  about: 'Creates, lists and revokes the API keys of a service',
  usage: 'npm run keys -- create|list|revoke <id>|mnemonic [OPTIONS]',
  flags: FLAGS,
  variables: [['DATABASE_URL', 'postgres://…, the database of the service']] as const,
  examples: [
    'npm run keys -- create --data ./data --name "web shop" --kind public',
    'npm run keys -- create --data ./data --name deploys --new',
    'npm run keys -- list --data ./data',
    'DATABASE_URL=postgres://db/one npm run keys -- revoke 5f0c9a1be274',
    'npm run keys -- mnemonic',
  ],
}

type Action = {
  /** The flags that it accepts. */
  readonly flags: readonly string[]
  /** The number of arguments after its name. */
  readonly words: number
  readonly run: (commandLine: CommandLine, io: Io) => Promise<void>
}

const ACTIONS: Readonly<Record<string, Action>> = {
  create: {
    flags: ['data', 'name', 'kind', 'new'],
    words: 0,
    run: async (commandLine, io) => {
      const name = keyName(commandLine.values.name)
      const kind = commandLine.values.kind === 'public' ? 'public' : 'private'
      const made = await onKeys(commandLine, io, (all) => all.create({ name, kind }))
      // Only the key, so that a script can use it; the rest goes to standard error.
      writeLine(io.stdout, made.key)
      writeLine(
        io.stderr,
        `the ${kind} key ${made.id}, which signs with wallet ${made.wallet}: keep it, it is shown only once`,
      )
    },
  },
  list: {
    flags: ['data', 'format'],
    words: 0,
    run: async (commandLine, io) => {
      const all = await onKeys(commandLine, io, ({ list }) => list())
      if (commandLine.values.format === 'json') io.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
      else for (const line of table(all)) writeLine(io.stdout, line)
    },
  },
  revoke: {
    flags: ['data'],
    words: 1,
    run: async (commandLine, io) => {
      const [id = ''] = commandLine.words
      if (id.startsWith('ts_')) {
        throw new UsageError('revoke takes the id of a key: the part between its two underscores')
      }
      if (!(await onKeys(commandLine, io, (all) => all.revoke(id)))) {
        throw new UsageError(`there is no key ${id} in force: \`npm run keys -- list\` names them`)
      }
      writeLine(
        io.stdout,
        `the key ${id} is revoked; a running service rejects it within 2 seconds`,
      )
    },
  },
  mnemonic: {
    flags: [],
    words: 0,
    run: async (_, { stdout }) => writeLine(stdout, newMnemonic()),
  },
}

/**
 * Calls `work` with the keys of a service, running or not. They are in its database or in its folder. A running service of a
 * folder is called through its control socket. `--new` creates a store for a service that never ran.
 */
const onKeys = async <T>(
  { values }: CommandLine,
  { env }: Io,
  work: (keys: KeysAdmin) => Promise<T>,
): Promise<T> => {
  const databaseUrl = env.DATABASE_URL || undefined
  const written = String(values.data ?? env.TWINSPEC_DATA ?? '')
  const folder = written === '' ? '' : resolve(written)
  if (databaseUrl === undefined) {
    if (folder === '') {
      throw new UsageError(
        'name the service: --data with its folder, or DATABASE_URL in the environment',
      )
    }
    const through = await keysThroughSocket(folder)
    if (through) return work(through)
    if (values.new !== true && !existsSync(join(folder, 'store'))) {
      throw new UsageError(
        `there is no store in ${folder}: a service that is started with --data ${folder} makes one, and so does \`npm run keys -- create --new\``,
      )
    }
  }
  const place = databaseUrl === undefined ? { folder } : { databaseUrl }
  if (databaseUrl === undefined) await assertLinksStayInside(folder, '--data')
  const store = await openStore({ ...place, log: pino({ level: 'silent' }) }).catch((error) => {
    if (!(error instanceof FolderInUse)) throw error
    throw new UsageError(
      `${error.folder} is in use by ${error.who}, which does not answer: try again`,
      { cause: error },
    )
  })
  try {
    return await work(createKeys(store))
  } finally {
    await store.close()
  }
}

/** A name is printed on one line. */
const keyName = (commandLine: string | true = ''): string => {
  const name = String(commandLine).trim()
  if (name.length <= MOST_LETTERS && !/\p{C}/u.test(name)) return name
  throw new UsageError(`create: --name must be ${MOST_LETTERS} letters at most, on one line`)
}

const MOST_LETTERS = 100

const table = (all: Awaited<ReturnType<KeysAdmin['list']>>): readonly string[] => {
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
