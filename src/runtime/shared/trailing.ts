/**
 * A text, such as an address, without the slashes at its end. `/\/+$/` alone takes quadratic time for a long text of slashes
 * that ends in something else: it would begin at each of them.
 */
export const withoutTrailingSlashes = (text: string): string => text.replace(/(?<!\/)\/+$/, '')
