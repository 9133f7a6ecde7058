/** Whether a text has responses, and the methods and ids of its members; undefined if it is not JSON. */
export const textKindOf = (text: string): TextKind | undefined => {
  try {
    const members = [JSON.parse(text)].flat().map(Object)
    const { method, result, error } = Object(members[0])
    return {
      isResponse: method === undefined && (result !== undefined || error !== undefined),
      methods: members.map((one) => one.method),
      ids: members.map(({ id }) => id),
    }
  } catch {
    return undefined
  }
}

type TextKind = {
  /** The members are responses to calls of the server. */
  readonly isResponse: boolean
  readonly methods: readonly unknown[]
  readonly ids: readonly unknown[]
}
