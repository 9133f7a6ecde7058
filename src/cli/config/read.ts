import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { DocumentError, type Finding, type Level, type RuleRow } from '../../model/finding.js'
import { isObject } from '../../model/json.js'
import { readAcceptedList } from '../../read/accepted-list.js'
import { type Document, parseDocument, readDocument } from '../../read/document.js'
import { disk } from '../../read/file-tree.js'
import { findDocuments } from '../../read/load.js'
import { pointerStep, segmentsOf } from '../../runtime/shared/pointer.js'
import { type ValidatorSchema, validator } from '../../runtime/validate.js'
import type { Schema } from '../../schema/schema.js'
import { nearest } from '../../text/nearest.js'
import { DEFAULT_FOLDER } from '../documents.js'
import { type ConfigRule, configSchema } from './schema.js'

/** The content of a configuration; paths are relative to the working directory, like those of flags. */
export type Config = {
  /** The file name for messages. */
  readonly file: string
  /** Section -> flag -> value, as on the command line. */
  readonly flags: Readonly<Record<string, Readonly<Record<string, FlagValue>>>>
  readonly levels: Levels
  /** In file order. */
  readonly overrides: readonly { readonly files: readonly string[]; readonly levels: Levels }[]
  readonly ignores: readonly Ignore[]
}

export type FlagValue = string | boolean | readonly string[]

/** Rule -> level. */
export type Levels = ReadonlyMap<string, Level | 'off'>

export type Ignore = ReturnType<typeof readAcceptedList<'rule' | 'where'>>[number]

/** Reads a configuration. Throws DocumentError with the place of every error in it. */
export const readConfig = (file: string, rules: readonly ConfigRule[]): Config => {
  const document = readDocument(file, disk, parseOrEmpty)
  const { value } = document
  assertValid(document, rules)
  const sections = isObject(value) ? value : {}
  const folder = dirname(file)
  const flags = Object.fromEntries(
    FLAG_SECTIONS.map((name) => [name, flagsOf(sections[name], folder)] as const),
  )
  return {
    file,
    flags: { ...flags, documents: documentsOf(flags.documents, folder) },
    levels: levelsOf(sections.rules),
    overrides: listOf(sections.overrides).map(({ files, rules: levels }) => ({
      files: (files as readonly string[]).map((glob) => globOf(glob, folder)),
      levels: levelsOf(levels),
    })),
    ignores: sections.ignore === undefined ? [] : ignoresOf(document),
  }
}

/** A file without content, such as one of comments alone, has no settings. */
const parseOrEmpty: typeof parseDocument = (text, file) => {
  try {
    return parseDocument(text, file)
  } catch (error) {
    const isEmpty = error instanceof DocumentError && error.finding.rule === 'document-is-empty'
    if (isEmpty) return parseDocument('{}', file)
    throw error
  }
}

/** The configured documents. Without any, those of the default folder beside the file, unless the working directory has its own. */
const documentsOf = (
  flags: Readonly<Record<string, FlagValue>> = {},
  folder: string,
): Readonly<Record<string, FlagValue>> => {
  if (flags.openapi !== undefined || flags.openrpc !== undefined || folder === '.') return flags
  const own = findDocuments(DEFAULT_FOLDER)
  if (own.openapi !== undefined || own.openrpc !== undefined) return flags
  const beside = Object.entries(findDocuments(join(folder, DEFAULT_FOLDER))).flatMap(
    ([kind, path]) => (path === undefined ? [] : [[kind, path] as const]),
  )
  return { ...Object.fromEntries(beside), ...flags }
}

const FLAG_SECTIONS = ['documents', 'generate', 'lint', 'diff', 'conform', 'compatibility'] as const

const assertValid = (document: Document, rules: readonly ConfigRule[]): void => {
  const schema = configSchema(rules)
  const faults = validator(() => schema as ValidatorSchema).explain(document.value, MOST_FAULTS)
  const findings = faults.map(({ pointer, keyword, message, params }): Finding => {
    const property = params?.property
    if (property === undefined || keyword === 'required') {
      const secret =
        keyword === 'pattern' ? ': credentials do not belong here, set TWINSPEC_KEY' : ''
      return {
        rule: 'config-invalid',
        level: 'error',
        location: document.locate(pointer),
        message: `${pointer || 'the configuration'} ${message}${secret}`,
      }
    }
    const location = document.locate(pointer + pointerStep(property), 'key')
    const known = keysAt(schema, segmentsOf(pointer))
    return {
      rule: 'config-key-unknown',
      level: 'error',
      location,
      message: `there is no key ${property}${inSection(pointer)}${hint(property, known)}`,
    }
  })
  const all = [...document.faults, ...findings]
  const [first] = all
  if (first) throw new DocumentError(first, { all })
}

const MOST_FAULTS = 100

const inSection = (pointer: string): string =>
  pointer === '' ? '' : ` in ${segmentsOf(pointer).join('.')}`

/** A suggestion for an unknown word: the nearest known one, or all if there are few. */
const hint = (word: string, known: readonly string[]): string => {
  if (SECRETS.test(word)) return ': credentials do not belong here, set TWINSPEC_KEY'
  const near = nearest(word, known)
  if (near !== undefined) return `: did you mean ${near}?`
  return known.length > MOST_KEYS
    ? ': twinspec explain lists the rules'
    : `: there are ${known.join(', ')}`
}

const MOST_KEYS = 30
const SECRETS = /key|secret|token|password/i

const keysAt = (schema: Schema, segments: readonly string[]): readonly string[] => {
  let at: Schema = schema
  for (const segment of segments) {
    if (typeof at === 'boolean') return []
    at = at.items ?? at.properties?.[segment] ?? true
  }
  return typeof at === 'boolean' ? [] : Object.keys(at.properties ?? {})
}

/** The values as on the command line, with paths relative to the working directory. */
const flagsOf = (section: unknown, folder: string): Readonly<Record<string, FlagValue>> => {
  if (!isObject(section)) return {}
  return Object.fromEntries(
    Object.entries(section).map(([key, value]) => {
      if (key === 'servers' && isObject(value))
        return ['server', Object.entries(value).map(([name, url]) => `${name}=${url}`)]
      if (key === 'overlay' && Array.isArray(value))
        return [key, value.map((one) => pathIn(folder, String(one)))]
      if (Array.isArray(value)) return [key, value.join(',')]
      if (typeof value === 'boolean') return [key, value]
      const isPath = PATHS.has(key) && !/^(git:|https?:)/.test(String(value))
      return [key, isPath ? pathIn(folder, String(value)) : String(value)]
    }),
  )
}

/** The shortest path from the working directory, unless the configuration has an absolute path. */
const pathIn = (folder: string, path: string): string =>
  isAbsolute(folder) || isAbsolute(path)
    ? resolve(folder, path)
    : relative('.', resolve(folder, path)) || '.'

const PATHS: ReadonlySet<string> = new Set([
  ...['openapi', 'openrpc', 'arazzo', 'allow-outside'],
  ...['out', 'against', 'baseline', 'changelog', 'traffic', 'usage', 'consumer', 'matrix'],
])

const levelsOf = (section: unknown): Levels =>
  new Map(
    Object.entries(isObject(section) ? section : {}).map(([rule, level]) => [
      rule,
      level as Level | 'off',
    ]),
  )

const listOf = (section: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(section) ? section : []

/** The list has the format of the lists of accepted findings. */
const ignoresOf = (document: Document): readonly Ignore[] => {
  const { ignore } = document.value as { readonly ignore: unknown }
  return readAcceptedList(
    {
      ...document,
      value: { accepted: ignore },
      locate: (pointer, part) => document.locate(pointer.replace(/^\/accepted/, '/ignore'), part),
    },
    {
      one: 'finding',
      keys: { rule: 'the id of the rule', where: 'a JSON pointer or an operation' },
      reason: 'why the finding is accepted',
      check: () => undefined,
    },
  )
}

/** The pattern of a glob: `*` matches within a folder, `**` any number of folders. */
const globOf = (glob: string, folder: string): string => {
  const path = pathIn(folder, glob).replaceAll('\\', '/')
  const source = path
    .split(/(\*\*\/?|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      return part === '?' ? '[^/]' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&')
    })
    .join('')
  return `^${source}$`
}

/** Rules for a configuration; it is read first, so errors in it end the command. */
export const CONFIG_RULES = [
  {
    id: 'config-invalid',
    level: 'error',
    purpose: 'A value of the wrong type, or one that is not allowed, would be ignored.',
  },
  {
    id: 'config-key-unknown',
    level: 'error',
    purpose: 'A mistyped key would be ignored, and the default would be used.',
  },
  {
    id: 'acceptance-is-invalid',
    level: 'error',
    purpose:
      'An entry that accepts findings needs a rule, a place, a reason and a last day, here and in files of --baseline.',
  },
] as const satisfies readonly RuleRow[]
