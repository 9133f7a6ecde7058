import { SHARED } from './places.js'

/**
 * Where names belong: in the place of what uses them, directly or through others, and in `shared` if users in several places
 * do. So a place needs nothing of another one but `shared`.
 */
export function placesByUse(
  users: Iterable<{ readonly place: string; readonly uses: Iterable<string> }>,
  usesOf: (name: string) => Iterable<string>,
): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const waiting: string[] = []
  const use = (name: string, place: string): void => {
    const before = places.get(name)
    if (before === place || before === SHARED) return
    places.set(name, before === undefined ? place : SHARED)
    waiting.push(name)
  }
  for (const { place, uses } of users) for (const name of uses) use(name, place)
  // Each name is here twice at most: when it gets a place, and when that becomes `shared`.
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
    for (const one of usesOf(name)) use(one, places.get(name) ?? SHARED)
  return places
}
