/** Reports a warning at a pointer in a Swagger 2.0 document. */
export type WarnAt = (rule: string, pointer: string, message: string) => void
