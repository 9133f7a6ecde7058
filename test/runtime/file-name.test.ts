import { expect, it } from 'vitest'
import { fileNameOf } from '../../src/runtime/shared/file-name.js'

const RIGHT_TO_LEFT = '\u202e'

it.each<[string, string, string]>([
  ['a name', 'form-data; name="a"; filename="report.txt"', 'report.txt'],
  [
    'one whose end is shown before its extension',
    `form-data; name="a"; filename="invoice-${RIGHT_TO_LEFT}fdp.exe"`,
    'invoice-fdp.exe',
  ],
  ['the same, encoded', "attachment; filename*=utf-8''invoice-%E2%80%AEfdp.exe", 'invoice-fdp.exe'],
  ['isolates', 'attachment; filename="a\u2066b\u2067c\u2068d\u2069.txt"', 'abcd.txt'],
  ['marks', 'attachment; filename="a\u200eb\u200fc\u061c.txt"', 'abc.txt'],
  ['embeddings', 'attachment; filename="a\u202ab\u202bc\u202cd\u202d.txt"', 'abcd.txt'],
  ['line ends of Unicode', 'attachment; filename="a\u2028b\u2029c\u0085.txt"', 'abc.txt'],
  ['two full stops behind a mark', 'attachment; filename="\u200e.."', ''],
  // Persian words and joined emoji need these.
  [
    'joiners, which stay',
    'attachment; filename="\u0645\u06cc\u200c\u0631\u0648\u0645 👩‍💻.txt"',
    '\u0645\u06cc\u200c\u0631\u0648\u0645 👩‍💻.txt',
  ],
])('the file name of a Content-Disposition: %s', (_, disposition, expected) => {
  expect(fileNameOf(disposition)).toBe(expected)
})
