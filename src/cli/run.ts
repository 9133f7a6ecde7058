import { stripVTControlCharacters, styleText } from 'node:util'
import {
  type ArgsDef,
  type CommandDef,
  defineCommand,
  renderUsage,
  runCommand,
  type SubCommandsDef,
} from 'citty'
import { withoutControls } from '../model/escape.js'
import type { DocumentError } from '../model/finding.js'
import { suggestion } from '../model/nearest.js'
import { MOVED_COMMANDS } from '../model/old-names.js'
import { CONFORM_REPEATS } from './conform-flags.js'
import { assertFlags } from './flags.js'
import { framed, PER_RULE } from './framed.js'
import {
  type ExitCode,
  fatalIn,
  type Io,
  isColoured,
  isExpected,
  UsageError,
  writeLine,
  writeStyled,
} from './io.js'
import { version } from './version.js'

/** Runs the command line `args` and says how it ended. Never throws. */
export const run = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  try {
    return await dispatch(args, io)
  } catch (error) {
    if (isExpected(error)) tell(error, io)
    else writeStyled(io.stderr, withoutControls(fault(error)))
    return 2
  }
}

/** Each is loaded when it is asked for: the compiler that `pack` brings is not needed for `lint`. */
const COMMANDS: SubCommandsDef = {
  init: async () => (await import('./init.js')).init,
  generate: async () => (await import('./generate.js')).generate,
  lint: async () => (await import('./lint.js')).lint,
  diff: async () => (await import('./diff.js')).diff,
  docs: async () => (await import('./docs.js')).docs,
  mock: async () => (await import('./mock.js')).mock,
  pack: async () => (await import('./pack.js')).pack,
  conform: async () => (await import('./conform.js')).conform,
}

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  twinspec: ['twinspec init', 'twinspec generate', 'twinspec mock', 'twinspec lint'],
  init: [
    'twinspec init',
    'twinspec init --dir parcels --name "Parcel service"',
    'twinspec init --from-openapi api.yaml --from-openrpc methods.json',
  ],
  generate: [
    'twinspec generate',
    'twinspec generate --openapi api.yaml --out src/generated',
    'twinspec generate --openrpc methods.json --watch',
    'twinspec generate --check --format github',
  ],
  lint: [
    'twinspec lint',
    'twinspec lint --openrpc methods.json --fail-on warning --format github',
    'twinspec lint --only variants-overlap,example-invalid',
    'twinspec lint --list-rules',
  ],
  diff: [
    'twinspec diff --against git:origin/main',
    'twinspec diff --openapi new.yaml --against old.yaml --format markdown',
    'twinspec diff --against git:v1.0:spec --baseline accepted.yaml --fail-on warning',
  ],
  docs: [
    'twinspec docs --out site',
    'twinspec docs --openapi api.yaml --openrpc methods.yaml --title "Orders" --package @acme/orders --out site',
  ],
  mock: [
    'twinspec mock',
    'twinspec mock api.yaml methods.json --port 8080',
    'twinspec mock --openapi api.yaml --openrpc methods.json --docs',
  ],
  pack: [
    'twinspec pack --name @acme/orders --out package',
    'twinspec pack --name @acme/orders --out package --against acme-orders-1.4.0.tgz',
    'twinspec pack --name orders --openapi api.yaml --out package --license MIT --without msw',
  ],
  conform: [
    'twinspec conform http://127.0.0.1:8545 --api-key "$KEY"',
    'twinspec conform https://staging.example --only eth_getBalance,orders --profile strict',
    'twinspec conform --traffic traffic/ --format github',
    'twinspec conform --list-rules',
  ],
}

const dispatch = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const [first, ...rest] = args
  if (first === undefined) {
    writeStyled(io.stderr, await help(TOP, io.stderr))
    return 2
  }
  if (first === '--version' || first === '-v') {
    writeLine(io.stdout, version)
    return 0
  }
  if (isHelp(first)) {
    writeStyled(io.stdout, await help(TOP, io.stdout))
    return 0
  }
  if (first.startsWith('-')) {
    throw new UsageError(`twinspec: there is no flag ${first}${suggestion(first, TOP_FLAGS)}`)
  }
  const found = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
  const command = await (typeof found === 'function' ? found() : found)
  if (!command) {
    const moved = MOVED_COMMANDS.get(first)
    if (moved !== undefined)
      throw new UsageError(
        `twinspec ${first} is now \`${moved}\`, in the repository of the service`,
      )
    const hint = suggestion(first, Object.keys(COMMANDS))
    throw new UsageError(`twinspec: there is no command ${first}${hint}`)
  }
  if (rest.some(isHelp)) {
    writeStyled(io.stdout, await help(command, io.stdout))
    return 0
  }
  const known = (command.args ?? {}) as ArgsDef
  assertFlags(
    first,
    rest,
    known,
    Object.values(known).some(({ type }) => type === 'positional'),
    first === 'conform' ? CONFORM_REPEATS : [],
  )
  const { result } = await runCommand(command, { rawArgs: [...rest], data: io })
  return result as ExitCode
}

const TOP: CommandDef = defineCommand({
  meta: { name: 'twinspec', version, description: 'Two documents in, everything generated out' },
  subCommands: COMMANDS,
})

const TOP_FLAGS = ['--help', '--version']

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h'

const help = async (command: CommandDef, sink: Io['stdout']): Promise<string> => {
  const usage = await renderUsage(command, command === TOP ? undefined : TOP)
  const { name = '' } = command.meta as { readonly name?: string }
  const examples = (EXAMPLES[name] ?? []).map((example) => `  ${example}`)
  const lines = [...usage.trimEnd().split('\n'), ...['', heading('EXAMPLES'), '', ...examples]]
  const all = lines.map((line) => line.trimEnd()).join('\n')
  return isColoured(sink) ? all : stripVTControlCharacters(all)
}

const heading = (words: string): string =>
  styleText(['underline', 'bold'], words, { validateStream: false })

/** What the user can fix: one sentence, and the lines of the document where it is about one; of documents, each error. */
const tell = (error: DocumentError | UsageError, { stderr }: Io): void => {
  if (!('findings' in error)) {
    for (const line of error.lines) writeLine(stderr, line)
    return
  }
  const coloured = isColoured(stderr)
  for (const line of framed(fatalIn(error), { coloured, perRule: PER_RULE })) {
    writeStyled(stderr, line)
  }
}

/** All else is our own doing. */
const fault = (error: unknown): string => {
  const trace = error instanceof Error ? error.stack : String(error)
  return `this is a fault of twinspec ${version}, not of your documents:\n${trace}`
}
