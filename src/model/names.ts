/** Words of any spelling to `PascalCase`; letters and digits of ASCII only. */
export function pascalCase(text: string): string {
  return words(text)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')
}

/** `eth_getBalance` -> `ethGetBalance`; words that are already camel-cased stay so. */
export function camelCase(text: string): string {
  const [first = '', ...rest] = words(text)
  return first.slice(0, 1).toLowerCase() + first.slice(1) + pascalCase(rest.join(' '))
}

/** `Read one balance` -> `read-one-balance`. */
export const kebabCase = (text: string): string =>
  words(text.replace(/([a-z\d])([A-Z])/g, '$1 $2'))
    .map((word) => word.toLowerCase())
    .join('-')

export const isIdentifier = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text)

/** A name for an exported constant or type: an identifier that is no reserved word. */
export function identifier(text: string, spell: (text: string) => string): string {
  const name = isIdentifier(text) ? text : spell(text)
  const named = name === '' ? '_' : /^\d/.test(name) ? `_${name}` : name
  return RESERVED.has(named) ? `${named}_` : named
}

/** A word of the language or of what every program has, which `identifier` gives an underscore. */
export const isReserved = (name: string): boolean => RESERVED.has(name)

/** The first of `name`, `name2`, `name3` … that is not taken yet; takes it. */
export function uniqueName(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  taken.add(free)
  return free
}

const words = (text: string) => text.match(/[A-Za-z0-9]+/g) ?? []

const RESERVED = new Set(
  `abstract any as async await bigint boolean break case catch class const continue debugger declare
  default delete do else enum export extends false finally for function get if implements import in
  infer instanceof interface is keyof let module namespace never new null number object of package
  private protected public readonly require return set static string super switch symbol this throw
  true try type typeof undefined unique unknown var void while with yield arguments eval
  Array Boolean Date Error Function Infinity Map NaN Number Object Promise Record Set String Symbol Type`
    .split(/\s+/)
    .filter(Boolean),
)
