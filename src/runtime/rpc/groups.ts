import { addGroups, type GroupNames } from '../shared/groups.js'

/** The client with its methods in groups as well, and so the clients that `with` and `batch` make of it. */
export const groupMethods = <Client>(client: Client, names: GroupNames): Client => {
  const { with: add, batch } = client as Extendable
  const extended: Extendable = {
    with: (options) => groupMethods(add(options), names),
    batch: (collect) => batch((inner) => collect(groupMethods(inner, names))),
  }
  return addGroups<Client>(Object.assign(client as object, extended), names)
}

type Extendable = {
  readonly with: (options: unknown) => Extendable
  readonly batch: (collect: (inner: Extendable) => unknown) => Promise<unknown>
}
