/** A template with what `fill` gives for each `{name}`; `whole` is the name in its braces. */
export const fillTemplate = (
  template: string,
  fill: (name: string, whole: string) => string,
): string => template.replace(VARIABLE, (whole, name: string) => fill(name, whole))

/** The names within `{}`, in the order of the template. */
export const templateNames = (template: string): readonly string[] =>
  [...template.matchAll(VARIABLE)].map(([, name = '']) => name)

const VARIABLE = /\{([^{}]+)\}/g
