import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Adopted, InitFile, Sources } from '../init/adopt-documents.js'
import { type DocumentError, isAboutFile } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { readDocument } from '../read/document.js'
import type { FileTree } from '../read/file-tree.js'
import { findDocuments, loadApi } from '../read/load.js'
import { framed } from '../report/framed.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { shellPath } from '../text/escape.js'
import { openDocuments, pathsOf } from './documents.js'
import type { Args } from './flags.js'
import {
  assertInside,
  type ExitCode,
  errorsIn,
  type Io,
  isColoured,
  isExpected,
  UsageError,
  withProgress,
  writeLine,
  writeStyled,
} from './io.js'
import { readApi } from './read-api.js'
import { installLines, startVersions } from './version.js'

/**
 * Writes the files that do not exist yet, all of them or none. If one fails, it removes those already written and their new
 * folders, and throws UsageError.
 */
const writeNew = (dir: string, files: readonly InitFile[]) => {
  const written: string[] = []
  const kept: InitFile[] = []
  const folders: string[] = []
  try {
    for (const file of files) {
      const path = join(dir, file.path)
      assertInside(dir, dirname(path))
      makeFolder(dirname(path), folders)
      if (isCreated(path)) {
        written.push(file.path)
        writeFileSync(path, file.text)
      } else kept.push(file)
    }
  } catch (cause) {
    for (const path of written) rmSync(join(dir, path), { force: true })
    for (const folder of folders.reverse()) rmdirSync(folder)
    throw new UsageError(`nothing was written: ${messageOf(cause)}`, { cause })
  }
  return { written, kept }
}

/** Creates an empty file. False if a file of that name exists, even if it was created a moment ago. */
const isCreated = (path: string): boolean => {
  try {
    writeFileSync(path, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Adds each created folder to `made`, the outermost first. `mkdir` with `recursive` never ends below /proc on Node 20. */
const makeFolder = (folder: string, made: string[]): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder), made)
  mkdirSync(folder)
  made.push(folder)
}

/** Prints why a document was not copied, with its lines, and how to fix it. */
const reportInitError = (
  error: DocumentError,
  sources: Sources,
  tree: FileTree,
  { stderr }: Io,
): void => {
  const findings = errorsIn(error)
  const options = { coloured: isColoured(stderr), command: 'twinspec init' }
  for (const line of framed(findings, options)) {
    writeStyled(stderr, line)
  }
  const { rule, location } = error.finding
  const advice = rule === VERSION ? adviceOn(location.file, sources, tree) : MEND
  writeLine(stderr, `nothing was written${isAboutFile(error.finding) ? '' : `: ${advice}`}`)
}

const VERSION = 'document-version-is-unknown'
const MEND = 'correct it in its place, and run init again'

/** The advice for an unsupported version. */
const adviceOn = (file: string, sources: Sources, tree: FileTree): string => {
  const { value } = readDocument(file, tree)
  const kind = isObject(value) ? KINDS.find((one) => one in value) : undefined
  return kind === undefined || sources[kind] === file ? MEND : `give it as --from-${kind}`
}

const KINDS = ['openapi', 'openrpc'] as const

export const init = async (
  args: Args<'init'>,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const { dir, 'from-openapi': openapi, 'from-openrpc': openrpc } = args
  if (args['from-openapi-typescript']) {
    if (words.length > 0 || openapi !== undefined || openrpc !== undefined)
      throw new UsageError('--from-openapi-typescript and documents cannot be combined')
    const { initFromOpenapiTypescript } = await import('./leave-openapi-typescript.js')
    return initFromOpenapiTypescript(args, io)
  }
  if (args.write) throw new UsageError('--write is for --from-openapi-typescript only')
  const name = nameOf(args.name, dir)
  const isFresh = words.length === 0 && openapi === undefined && openrpc === undefined
  const opened = isFresh ? undefined : await openDocuments(words, { ...args, openapi, openrpc }, io)
  const read = opened && (await adoptedFrom(pathsOf(opened.documents), opened.tree, io))
  if (read === 'rejected') return 2
  const { adopted, schemes = [] } = read ?? {}
  const { initFiles } = await import('../init/init.js')
  const isNew = !existsSync(join(dir, 'package.json'))
  const files = initFiles({ name, isNew, adopted, schemes, versions: startVersions })
  assertFree(dir, files)
  const { written, kept } = writeNew(dir, files)
  printFiles(written, kept, dir, io)
  if (adopted) await printAdopted(adopted, dir, io)
  printNext(dir, isNew, adopted, io)
  return 0
}

const nameOf = (chosen: string | undefined, dir: string): string => {
  const name = (chosen ?? basename(resolve(dir))).trim()
  if (chosen === undefined && name === '') return 'service'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (name !== '' && name.length <= 200 && !/[\u0000-\u001f\u007f\u2028\u2029]/.test(name)) {
    return name
  }
  throw new UsageError(`--name must be 1 to 200 characters on one line`)
}

type Read = { readonly adopted: Adopted; readonly schemes: readonly string[] }

/** Loads both documents like every command, so that only documents that code can be generated from are copied. */
const adoptedFrom = async (
  { openapi, openrpc }: Sources,
  tree: FileTree,
  io: Io,
): Promise<Read | 'rejected'> => {
  const sources = { openapi, openrpc }
  const { adoptDocuments } = await import('../init/adopt-documents.js')
  try {
    const { operations } = await readApi(sources, tree, io)
    const all = operations.flatMap((one) => (one.kind === 'http' ? Object.keys(one.schemes) : []))
    return { adopted: adoptDocuments(sources, tree), schemes: [...new Set(all)] }
  } catch (error) {
    if (!isExpected(error) || !('findings' in error)) throw error
    reportInitError(error, sources, tree, io)
    return 'rejected'
  }
}

/** Throws UsageError if a document exists already, so that nothing is written at all. */
const assertFree = (dir: string, files: readonly InitFile[]): void => {
  const beginning = standingOf(dir)
  if (!statSync(beginning).isDirectory()) {
    throw new UsageError(`${beginning} is not a folder: choose another --dir`)
  }
  const documents = files.filter(({ kind }) => kind === 'document')
  const found = findDocuments(join(dir, 'spec'))
  const entries = KINDS.flatMap((kind) => {
    const brought = documents.find(({ path }) => path.startsWith(`spec/${kind}.`))
    const standing = found[kind]
    const isItself = brought?.from !== undefined && standing && resolve(standing) === brought.from
    return brought && standing !== undefined && !isItself ? [standing] : []
  })
  const standing = documents
    .filter(({ path, from }) => existsSync(join(dir, path)) && resolve(dir, path) !== from)
    .map(({ path }) => join(dir, path))
  const inTheWay = [...new Set([...entries, ...standing])]
  if (inTheWay.length === 0) return
  const [first = '', ...others] = inTheWay
  const more = others.length === 0 ? '' : ` (and ${others.join(', ')})`
  throw new UsageError(
    `${first}${more} already ${others.length === 0 ? 'exists' : 'exist'}, and init overwrites nothing: continue with twinspec lint and twinspec generate, move the files, or choose another --dir`,
  )
}

const printFiles = (
  written: readonly string[],
  kept: readonly InitFile[],
  dir: string,
  { stdout }: Io,
): void => {
  for (const path of written) writeLine(stdout, `wrote ${join(dir, path)}`)
  for (const { path, kind, lacking } of kept) {
    const lines = kind === 'beside' ? (lacking?.(readFileSync(join(dir, path), 'utf8')) ?? []) : []
    const advice = lines.length === 0 ? '' : '; add to it:'
    writeLine(stdout, `kept  ${join(dir, path)}${advice}`)
    for (const line of lines) writeLine(stdout, `        ${line}`)
  }
}

/** Prints how the documents were changed, and a summary of lint findings, one line each. */
const printAdopted = async (
  { bundled, rewritten, leftOut, kinds }: Adopted,
  dir: string,
  io: Io,
) => {
  const { stdout } = io
  if (rewritten.length > 0) {
    const files = rewritten.map((path) => join(dir, path)).join(', ')
    writeLine(stdout, `references to moved files were changed in ${files}`)
  }
  for (const kind of bundled) {
    const why = 'its files could not be moved without changing their meaning'
    writeLine(stdout, `the ${WORDS[kind]} document was bundled into one file: ${why}`)
  }
  for (const { from, path } of leftOut) {
    const to = join(dir, path)
    if (!existsSync(to)) writeLine(stdout, `an externalValue names ${from}: copy it to ${to}`)
  }
  const documents = findDocuments(join(dir, 'spec'))
  const [other] = KINDS.filter((kind) => !kinds.includes(kind) && documents[kind] === undefined)
  if (other) {
    writeLine(
      stdout,
      `no ${WORDS[other]} document was written: if the service speaks ${PROTOCOLS[other]} too, add spec/${other}.yaml`,
    )
  }
  const { lint } = await import('../lint/lint.js')
  const findings = await withProgress(io, async (show) => {
    show('linting the documents …')
    return lint(await loadApi(documents), { only: undefined })
  })
  const counts = (['error', 'warning'] as const).map((level) => {
    const count = findings.filter((finding) => finding.level === level).length
    return `${count} ${level}${count === 1 ? '' : 's'}`
  })
  const isClean = findings.every(({ level }) => level === 'note')
  writeLine(
    stdout,
    isClean ? 'lint reports nothing' : `${counts.join(', ')}: twinspec lint shows them`,
  )
}

const WORDS = { openapi: 'OpenAPI', openrpc: 'OpenRPC' } as const
const PROTOCOLS = { openapi: 'HTTP', openrpc: 'JSON-RPC' } as const

const printNext = (
  dir: string,
  isNew: boolean,
  adopted: Adopted | undefined,
  { stdout }: Io,
): void => {
  const where = resolve(dir) === resolve('.') ? [] : [`cd ${shellPath(dir)}`]
  const lint = adopted ? ['npx twinspec lint'] : []
  writeLine(stdout, 'next:')
  for (const line of [
    ...where,
    ...installLines(dir),
    ...lint,
    ...(isNew ? ['npm start', 'npm run mock'] : ['npx twinspec generate', 'npx twinspec mock']),
  ]) {
    writeLine(stdout, `  ${line}`)
  }
}

/** The folder itself, or its nearest existing parent. */
const standingOf = (dir: string): string =>
  existsSync(dir) || dirname(dir) === dir ? dir : standingOf(dirname(dir))
