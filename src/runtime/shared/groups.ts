/** Group -> name in the group -> id of the operation. */
export type GroupNames = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Adds the groups to a client: `client.customers.create` is `client.createCustomer`. Each is created when it is first read. */
export const addGroups = <Client>(client: object, names: GroupNames): Client => {
  const operations = client as Readonly<Record<string, unknown>>
  for (const [group, members] of Object.entries(names)) {
    let made: object | undefined
    const get = () => {
      made ??= Object.fromEntries(
        Object.entries(members).map(([name, id]) => [name, operations[id]]),
      )
      return made
    }
    Object.defineProperty(client, group, { get })
  }
  // Generated code declares the types of the operations.
  return client as Client
}
