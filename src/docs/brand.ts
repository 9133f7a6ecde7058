/** The colour and the logo of a site, as CSS rules to append to its style sheet. */
export function brandStyle({ color, logo }: Brand): string {
  const accent =
    color === undefined
      ? ''
      : `:root { ${(['light', 'dark'] as const).map((theme) => `--${theme}-accent: ${hex(readable(color, theme))}; --${theme}-accent-ground: ${hex(groundOf(color, theme))};`).join(' ')} --accent: light-dark(var(--light-accent), var(--dark-accent)); --accent-ground: light-dark(var(--light-accent-ground), var(--dark-accent-ground)); }\n`
  const image =
    logo === undefined
      ? ''
      : `.home { min-height: 2rem; padding-left: 2.6rem; background: url("${logo}") left center / 2rem 2rem no-repeat; }\n`
  return accent + image
}

export type Brand = {
  /** Red, green and blue, 0 to 255. */
  readonly color?: Color | undefined
  /** A `data:` URL of the image. */
  readonly logo?: string | undefined
}

export type Color = readonly [red: number, green: number, blue: number]

/** `#06c` and `#0066cc`; undefined for any other text. */
export function parseColor(text: string): Color | undefined {
  const digits = /^#(?:([\da-f])([\da-f])([\da-f])|([\da-f]{2})([\da-f]{2})([\da-f]{2}))$/i.exec(
    text,
  )
  if (digits === null) return undefined
  const [red = '', green = '', blue = ''] = digits.slice(1).filter((one) => one !== undefined)
  const value = (digit: string) => Number.parseInt(digit.length === 1 ? digit + digit : digit, 16)
  return [value(red), value(green), value(blue)]
}

const PAGES = { light: [252, 252, 250], dark: [21, 24, 28] } as const
const AWAY = { light: [0, 0, 0], dark: [255, 255, 255] } as const

/** The background of marked parts: the page with a tenth of the colour, a fifth in the dark theme. */
const groundOf = (color: Color, theme: 'light' | 'dark'): Color =>
  mixed(PAGES[theme], color, theme === 'light' ? 0.1 : 0.2)

/** The colour, darkened or lightened until text in it has enough contrast (WCAG 2.2, 1.4.3). */
function readable(color: Color, theme: 'light' | 'dark'): Color {
  const ground = groundOf(color, theme)
  let share = 0
  while (share < 1 && contrast(mixed(color, AWAY[theme], share), ground) < LEAST) share += 0.02
  return mixed(color, AWAY[theme], share)
}

const LEAST = 4.6

const mixed = (from: Color, to: Color, share: number): Color => {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share)
  return [part(0), part(1), part(2)]
}

const contrast = (one: Color, other: Color): number => {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** Relative luminance, WCAG 2.2. */
const luminance = (color: Color): number => {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const hex = (color: Color): string =>
  `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
