/**
 * A pause in which other requests are served, after a step that takes long for a large text: undefined where the text is small.
 * Parsing 1 MB, looking for numbers that lose digits and validating it take up to 30 ms each.
 */
export const breakAfterLarge = (text: string): Promise<void> | undefined =>
  text.length < LARGE ? undefined : new Promise((resolve) => setTimeout(resolve))

/** Characters. A step takes about a millisecond for so many. */
const LARGE = 32_768
