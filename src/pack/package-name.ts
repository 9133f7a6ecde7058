import { isBuiltin } from 'node:module'

/** What npm holds against the name of a new package, as the end of a sentence; undefined where it takes it. */
export const faultOfName = (name: string): string | undefined => {
  const parts = name.startsWith('@') ? name.slice(1).split('/') : [name]
  const [first = '', second] = parts
  if (name.startsWith('@') && (parts.length !== 2 || first === '' || second === ''))
    return 'a name with a scope is written @scope/name'
  if (name === '') return 'it is empty'
  if (name.length > LONGEST) return `it is longer than ${LONGEST} characters`
  if (/\p{Lu}/u.test(name)) return 'it has capital letters'
  const wrong = parts.find((part) => encodeURIComponent(part) !== part || /[~'!()*]/.test(part))
  if (wrong !== undefined)
    return 'it may have lower-case letters, digits, ".", "-" and "_", and after a scope one "/"'
  if (parts.some((part) => /^[._-]/.test(part)))
    return 'no part of it may begin with ".", "-" or "_"'
  if (parts.length > 1) return undefined
  if (TAKEN.includes(name)) return 'npm keeps it for itself'
  return isBuiltin(name) ? 'Node has a module of that name' : undefined
}

const LONGEST = 214

const TAKEN = ['node_modules', 'favicon.ico']
