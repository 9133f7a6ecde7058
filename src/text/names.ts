import { joinPointer } from '../runtime/shared/pointer.js'

/** Words of any spelling to `PascalCase`: `files[0]` -> `Files0`, `a.b/c` -> `ABC`. Letters of every script are kept. */
export function pascalCase(text: string): string {
  return words(text).map(capitalised).join('')
}

/** `eth_getBalance` -> `ethGetBalance`; words in camel case are unchanged. */
export function camelCase(text: string): string {
  const [first = '', ...rest] = words(text)
  const [initial = ''] = first
  return initial.toLowerCase() + first.slice(initial.length) + pascalCase(rest.join(' '))
}

/** `Read one balance` -> `read-one-balance`: for file names, with ASCII letters and digits only. */
export const kebabCase = (text: string): string =>
  (text.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(/[A-Za-z0-9]+/g) ?? [])
    .map((word) => word.toLowerCase())
    .join('-')

/** ECMAScript, IdentifierName, without invisible characters, and normalized, so that equal spellings are equal texts. */
export const isIdentifier = (text: string): boolean =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text) &&
  !INVISIBLE.test(text) &&
  text === text.normalize('NFC')

/**
 * A name for an exported constant or type. An identifier is unchanged; for any other text, `spell` joins its words. A name that
 * would begin with a digit gets an underscore before it, and a reserved word one after it.
 */
export function identifier(text: string, spell: (text: string) => string): string {
  const name = isIdentifier(text) ? text : spell(text)
  const named = /^[\p{ID_Start}$_]/u.test(name) ? name : `_${name}`
  return RESERVED.has(named) ? `${named}_` : named
}

/** A reserved word, to which `identifier` adds an underscore. */
export const isReserved = (name: string): boolean => RESERVED.has(name)

/** The first of `name`, `name2`, `name3` … that is not used. */
export function freeName(name: string, used: Pick<ReadonlySet<string>, 'has'>): string {
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name}${number}`
  return free
}

/** The first of `name`, `name2`, `name3` … that is not used yet; adds it to `used`. */
export function uniqueName(name: string, used: Set<string>): string {
  const free = freeName(name, used)
  used.add(free)
  return free
}

/** The runs of letters and digits in a text; all other characters are omitted. */
const words = (text: string): readonly string[] =>
  text.normalize('NFC').replace(INVISIBLES, '').match(WORDS) ?? []

/** The words of a text; identifiers are split: `listPetStores` -> `list`, `Pet`, `Stores`. */
export const splitWords = (text: string): readonly string[] =>
  words(
    text
      .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  )

const WORDS = /[\p{L}\p{Nl}\p{Nd}][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}]*/gu
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u
const INVISIBLES = new RegExp(INVISIBLE, 'gu')

/** `order` -> `Order`; the other letters are unchanged. */
export function capitalised(word: string): string {
  const [initial = ''] = word
  return initial.toUpperCase() + word.slice(initial.length)
}

const RESERVED = new Set(
  `abstract any as async await bigint boolean break case catch class const continue debugger declare
  default delete do else enum export extends false finally for function get if implements import in
  infer instanceof interface is keyof let module namespace never new null number object of package
  private protected public readonly require return set static string super switch symbol this throw
  true try type typeof undefined unique unknown var void while with yield arguments eval
  globalThis Infinity NaN __proto__`
    .split(/\s+/)
    .filter(Boolean),
)

/** `#/components/SECTION/NAME` */
export const componentRef = (section: string, name: string): string =>
  joinPointer('#', 'components', section, name)
