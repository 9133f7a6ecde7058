import { describe, expect, it } from 'vitest'
import { pathPattern } from '../../src/runtime/wire/path-pattern.js'
import { patternGrowth } from '../../src/schema/patterns/growth.js'
import { findPatterns, type OwnPattern } from './find-patterns.js'
import { slowestText } from './measure.js'
import { plainSource } from './plain-source.js'
import { worstTexts } from './worst-texts.js'

/**
 * Nodes, contracts, callers, servers and documents choose the texts that our own patterns read, and may choose a megabyte of the
 * worst. So each regular expression below `src/` takes linear time, or is in a table here. Patterns that are in documents
 * are tested by `matchesPattern` (docs/decisions/0035).
 */
const { patterns, built } = findPatterns()

const CHOSEN = 'The pattern is in a document: it is matched by an automaton or only compiled.'

/** Patterns that are made at run time -> some of them, or why their time is no concern. */
const BUILT: Readonly<Record<string, readonly string[] | string>> = {
  'src/emit/go/layout.ts `(?<![\\\\w.])${name}\\\\.`': ['(?<![\\w.])strings\\.'],
  "src/runtime/wire/routes.ts `^${pathPattern(text, '[^/]')}$`": paths(
    '[^/]',
    (path) => `^${path}$`,
  ),
  "src/traffic/address.ts `${anyOf(path.replace(/\\/$/, ''))}$`, 'i'": paths(
    '[^/?#]',
    (path) => `${path}$`,
  ),
  "src/traffic/address.ts `^((?:https?|wss?)://[^/?#]*${anyOf(path)})`, 'i'": paths(
    '[^/?#]',
    (path) => `^((?:https?|wss?)://[^/?#]*${path})`,
  ),
  'src/emit/validators/patterns.ts source, flags': CHOSEN,
  'src/emit/validators/patterns.ts plain, flags': CHOSEN,
  'src/emit/validators/unevaluated.ts `\\\\b${name}\\\\b`': ['\\bname\\b'],
  "src/read/arazzo/expressions.ts condition, 'u'": CHOSEN,
  'src/runtime/msw.ts `^${base}(${source})$`': paths(
    '[^/]',
    (path) => `^(?:http:\\/\\/a)(${path})$`,
  ),
  'src/runtime/msw.ts `^${base}${withoutGroups(source)}$`': paths(
    '[^/]',
    (path) => `^(?:http:\\/\\/a)${path}$`,
  ),
  'src/runtime/msw.ts `^${source}/?$`': ['^http:\\/\\/a\\/([^/]+)\\/rpc\\/([^/]+)/?$'],
  'src/runtime/rpc/json-rpc-1.ts `"${marked.mark}([^"]*)"`, \'g\'': ['"mark([^"]*)"'],
  'src/runtime/msw.ts `^${withoutGroups(source)}/?$`': ['^http:\\/\\/a\\/[^/]+\\/rpc\\/[^/]+/?$'],
  "src/runtime/shared/codecs.ts `^${pattern.replace(/[.+]/g, '\\\\$&').replaceAll('*', '[^/\\\\s]+')}$`":
    ['^[^/\\s]+/[^/\\s]+\\+json$', '^text/[^/\\s]+$'],
  'src/runtime/shared/json.ts `"${mark}(-?\\\\d+)"`, \'g\'': ['"mark(-?\\d+)"'],
  "src/runtime/shared/redact.ts pattern, 'g'": ['secret|c2VjcmV0|%73ecret'],
  "src/runtime/shared/server-url.ts `${templatePattern(documented, '[^/?#]')}$`": paths(
    '[^/?#]',
    (path) => `${path}$`,
  ),
  "src/runtime/shared/written-secrets.ts templatePattern(template, '[^/?#]')": paths(
    '[^/?#]',
    (path) => path,
  ),
  'src/runtime/validate/hex.ts `^0x(?:${`[${digits}]`.repeat(20)})*[${digits}]*$`':
    'It reads texts of at most 100 characters.',
  "src/runtime/validate/json-value.ts source, 'u'": CHOSEN,
  'src/runtime/validate/json-value.ts source': CHOSEN,
  "src/runtime/validate/pattern/linear.ts `^(?:${source})$`, unicode ? 'u' : ''":
    'It tests one character.',
  "src/schema/patterns/growth.ts source, unicode ? 'u' : ''": 'It looks for one character.',
  "src/service/embedded-chain/memory-limit.ts `^${name}:\\\\s+(\\\\d+) kB$`, 'm'": [
    '^VmRSS:\\s+(\\d+) kB$',
  ],
}

/** The patterns of paths with values between texts, beside each other, and alone. */
function paths(character: string, around: (path: string) => string): readonly string[] {
  return [
    '/a/{b}/c/{d}',
    '/{a}-{b}-{c}.json',
    '/{a}{b}{c}',
    '/x{a}/{b}..{c}/{d}',
    '/{a}a{b}aa',
  ].map((path) => around(pathPattern(path, character)))
}

/** Patterns whose time is linear for a reason that an analysis of their syntax does not see. They are tried like all others. */
const REASONS: Readonly<Record<string, string>> = {
  'src/cli/history.ts /^(.*?)v?(?<!\\d)(\\d+(?:\\.\\d+){0,2}(?:[-+].*)?)$/s':
    'Only the first digit of a number begins a version.',
  'src/conform/responses/leaks.ts /\\bat (?:async )?(?:[\\w$.<>[\\] ]{1,100} \\()?(?:file:\\/\\/|node:|[A-Za-z]:\\\\|\\/)[^\\s()]{1,300}:\\d+:\\d+\\)?/':
    'The counts are limited.',
  'src/conform/responses/leaks.ts /\\bat [\\w.`<>[\\]]+\\([^)\\n]{0,200}\\) in [^\\n]{1,300}:line \\d+/':
    'The counts are limited.',
  'src/docs/tokens.ts /\\\\.|(?<text>"(?:\\\\.|[^"\\\\])*"|\'(?:\\\\.|[^\'\\\\])*\')|(?<comment>\\/\\/.*$)|(?<word>\\b(?:true|false|null|import|from|const|await|for|of)\\b)|(?<number>(?<![\\w.])-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?\\b)/gm':
    'An escaped quote is read with its backslash, so no string begins there.',
  'src/emit/print-node.ts /"(?:[^"\\\\\\n]|\\\\.)*"?|(^ *)?\\/\\*([^*]*(?:\\*(?!\\/)[^*]*)*)(?:\\*\\/|(?![\\s\\S]))(\\n)?|;$/gm':
    'A comment that does not end is read to the end of the text.',
  'src/emit/python/layout.ts /"(?:[^"\\\\]|\\\\[\\s\\S])*(?:"|\\\\?(?![\\s\\S]))/g':
    'A string that does not end is read to the end of the text.',
  'src/emit/shared-values.ts /(.)\\1{23,}/gs': 'A character that is not repeated ends 24 steps.',
  'src/emit/shared-values.ts /((.)\\2{23,})/s': 'A character that is not repeated ends 24 steps.',
  'src/emit/type-expression.ts /\\\\.|\\[(?:\\\\.|[^\\]\\\\])*\\]?|\\((?:[^()\\\\]|\\\\.)*\\)/gs':
    'An escaped bracket is read with its backslash, so no group begins there.',
  'src/init/openapi-typescript-script.ts /^((?:.*\\s)?)openapi-typescript(?:@\\S+)?(?=\\s|$)(.*)$/s':
    'A version is read once, after the space before the word.',
}

const written = ({ source, flags }: Pick<OwnPattern, 'source' | 'flags'>): string =>
  `/${source}/${flags}`

const folderOf = ({ place }: { readonly place: string }): string => place.split('/')[1] ?? place

const fileOf = ({ place }: OwnPattern): string => place.replace(/:\d+$/, '')

it('finds the patterns of all kinds of files', () => {
  expect(patterns.length).toBeGreaterThan(900)
  const folders = new Set(patterns.map(({ place }) => place.split('/')[1]))
  expect([...folders]).toEqual(expect.arrayContaining(['service', 'runtime', 'cli', 'conform']))
  expect(patterns.some(({ place }) => /\.js:\d+$/.test(place))).toBe(true)
})

it('knows each pattern that is made at run time', () => {
  const names = built.map(({ file, written }) => `${file} ${written}`)
  expect([...new Set(names)].sort()).toEqual(Object.keys(BUILT).sort())
})

it('each pattern takes linear time by its syntax, or has a reason', () => {
  const others = patterns.filter(
    ({ source, flags }) => patternGrowth(plainSource(source, flags)).kind !== 'linear',
  )
  const names = others.map((one) => `${fileOf(one)} ${written(one)}`)
  expect([...new Set(names)].sort()).toEqual(Object.keys(REASONS).sort())
})

describe('a megabyte of its own worst case takes linear time', () => {
  const made = Object.values(BUILT)
    .flatMap((sources) => (typeof sources === 'string' ? [] : sources))
    .map((source) => ({ place: 'built', source, flags: '' }))
  const distinct = new Map([...patterns, ...made].map((one) => [written(one), one]))
  const repeating = [...distinct.values()].filter(({ source }) => REPEATS.test(source))
  const folders = [...new Set(repeating.map(folderOf))]

  it.each(folders)('src/%s', (folder) => {
    const some = repeating.filter((one) => folderOf(one) === folder)
    const slow = some.flatMap((one) => {
      const milliseconds = megabyte(one)
      return milliseconds <= MOST_MILLISECONDS
        ? []
        : [`${one.place} ${written(one)} ${milliseconds}`]
    })
    expect(slow).toEqual([])
  })
})

/** Only a repetition without a limit, or a large one, can be slow. */
const REPEATS = /[*+]|\{\d+,(?:\d\d+)?\}/

/** Quadratic time for a megabyte is a quarter of a minute at least, and minutes for most. */
const MOST_MILLISECONDS = 3_000

/** A busy machine lets a pattern wait that takes one second. */
const PATIENCE = 60_000

/** The milliseconds for a megabyte of the text that took longest among many short ones; infinite if that took too long. */
function megabyte(
  { source, flags }: Pick<OwnPattern, 'source' | 'flags'>,
  patience = PATIENCE,
): number {
  const expression = new RegExp(source, flags)
  const texts = worstTexts(source, flags)
  const short = texts.map((text) => text(8_000))
  const slowest = slowestText(expression, short, patience)
  if (slowest === undefined) return Number.POSITIVE_INFINITY
  const long = texts[slowest.index]?.(1_000_000) ?? ''
  return slowestText(expression, [long], patience)?.milliseconds ?? Number.POSITIVE_INFINITY
}

describe('the search for worst cases', () => {
  it.each([
    [/\/+$/, 'a repetition that must reach the end'],
    [/\b[\w-]+\.rs:\d+/, 'words that another word could begin'],
    [/\{([^}]*)\}/g, 'brackets that do not close'],
    [/"(?:\\.|[^"\\])*"|[^\s"]+/g, 'strings that do not close'],
    [/^\s*([^=/]+)=/, 'blanks that two parts read'],
    [/(a+)+$/, 'nested repetitions'],
    [/a-f.*A-F/, 'a text that is looked for again and again'],
    [/^-+|-+$/g, 'hyphens at both ends'],
  ])('finds those of %s: %s', (expression) => {
    const { source, flags } = expression
    expect(megabyte(expression, 500)).toBe(Number.POSITIVE_INFINITY)
    expect(patternGrowth(plainSource(source, flags)).kind).not.toBe('linear')
  })
})
