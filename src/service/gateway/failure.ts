/** An error as a log tells it: what happened and by what cause, without a stack. */
export const tellFailure = (error: unknown): Failure => {
  if (!(error instanceof Error)) return { error: String(error) }
  const causes = causesOf(error).map((cause) =>
    cause instanceof Error ? cause.message : String(cause),
  )
  return {
    error: error.message,
    kind: error.name,
    ...(causes.length > 0 && { causes }),
  }
}

export type Failure = {
  readonly error: string
  readonly kind?: string
  readonly causes?: readonly string[]
}

const causesOf = ({ cause }: Error, most = 5): readonly unknown[] =>
  cause === undefined || most === 0
    ? []
    : [cause, ...(cause instanceof Error ? causesOf(cause, most - 1) : [])]
