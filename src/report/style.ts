import { styleText } from 'node:util'

/** Styles text if the output is coloured. */
export const styler =
  (coloured: boolean): TextStyle =>
  (format, words) =>
    coloured ? styleText(format, words, { validateStream: false }) : words

export type TextStyle = (format: Parameters<typeof styleText>[0], words: string) => string

export const LEVEL_COLOURS = {
  error: 'red',
  warning: 'yellow',
  note: 'cyan',
  good: 'green',
} as const
