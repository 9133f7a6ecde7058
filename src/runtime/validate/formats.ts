/** Whether a text is a date of RFC 3339: `2026-01-31`. */
export const isDateText = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined) return false
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** Whether a text is a date with a time of RFC 3339, 5.6, leap seconds included: `2026-01-31T12:00:00Z`. */
export const isDateTimeText = (text: string): boolean =>
  isDateText(text.slice(0, 10)) && /^[Tt ]/.test(text[10] ?? '') && TIME.test(text.slice(11))

const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** Whether a text is a UUID of RFC 9562, of any version. */
export const isUuidText = (text: string): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** Whether a text begins with a scheme and has no blanks, as every URI of RFC 3986. */
export const isUriText = (text: string): boolean => /^[a-z][a-z\d+.-]*:\S*$/i.test(text)

/** Whether a text is an IPv4 address of four decimal numbers. */
export const isIpv4Text = (text: string): boolean => IPV4.test(text)

const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/

/** Whether a text is an IPv6 address of RFC 4291, without a zone. */
export const isIpv6Text = (text: string): boolean =>
  /^[\da-f:.]{2,45}$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`)

/** The formats whose invalid texts are known for certain (OpenAPI Format Registry). */
export const TEXT_FORMATS: Readonly<Record<string, TextFormat>> = {
  date: { holds: isDateText, noun: 'a date such as 2026-01-31' },
  'date-time': { holds: isDateTimeText, noun: 'a date with a time such as 2026-01-31T12:00:00Z' },
  uuid: { holds: isUuidText, noun: 'a UUID' },
  uri: { holds: isUriText, noun: 'a URI with a scheme' },
  ipv4: { holds: isIpv4Text, noun: 'an IPv4 address' },
  ipv6: { holds: isIpv6Text, noun: 'an IPv6 address' },
}

type TextFormat = { readonly holds: (text: string) => boolean; readonly noun: string }

/** The format that validators check: that of `x-checked-format`. */
export const checkedFormat = (
  schema: Readonly<Record<`x-${string}`, unknown>>,
): TextFormat | undefined => {
  const { 'x-checked-format': name } = schema
  return typeof name === 'string' && Object.hasOwn(TEXT_FORMATS, name)
    ? TEXT_FORMATS[name]
    : undefined
}
