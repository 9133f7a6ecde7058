/**
 * A media type as it is compared: names know no case (RFC 9110, 8.3.1), parameters no order, and
 * JSON no charset but UTF-8 (RFC 8259, 8.1).
 */
export function mediaTypeName(written: string): string {
  const [name = '', ...parameters] = written.split(';').map((part) => part.trim())
  const essence = name.toLowerCase()
  const kept = parameters
    .filter((parameter) => parameter !== '')
    .map((parameter) => {
      const [key = '', value = ''] = parameter.split('=').map((part) => part.trim())
      const plain = value.replace(/^"(.*)"$/, '$1')
      return `${key.toLowerCase()}=${key.toLowerCase() === 'charset' ? plain.toLowerCase() : plain}`
    })
    .filter((parameter) => !(parameter === 'charset=utf-8' && /[/+]json$/.test(essence)))
    .sort()
  return [essence, ...kept].join(';')
}

/** Without its parameters. */
export const essenceOf = (written: string): string => mediaTypeName(written).split(';')[0] ?? ''

/** Whether all that the narrow one may be is within the wide one: `application/json` is within the range `application/*`. */
export function covers(wide: string, narrow: string): boolean {
  const [range, one] = [mediaTypeName(wide), mediaTypeName(narrow)]
  if (range === one || range === '*/*' || range === '*') return true
  // A type without parameters says nothing of them.
  if (!range.includes(';') && range === essenceOf(one)) return true
  return range.endsWith('/*') && one.startsWith(range.slice(0, -1))
}
