/** What is unportable about a construct: continues the text of it, and says what to write instead. */
export const SAYINGS = {
  'digit-set': 'is ASCII here and every script in Python, .NET and Rust: write [0-9]',
  'word-set': 'is ASCII here and every script in Python, .NET and Rust: write [A-Za-z0-9_]',
  'space-set': 'is another set in each engine, ASCII alone in Go and Java: list the characters',
  'word-boundary':
    'stands elsewhere where words are more than ASCII, as in Python and .NET: write the characters around it',
  'unicode-property': 'is refused by Python, and other engines know other names: list the ranges',
  lookaround: 'is refused by Go and Rust: split it into several patterns under allOf',
  'quantified-assertion': 'repeats what reads no character, which most engines refuse: drop it',
  backreference: 'is refused by Go and Rust: list the alternatives',
  'named-group': 'is spelt (?P<name>…) in Python and refused by older Go: write (…)',
  'inline-flags': 'is refused by most ECMAScript engines: write both cases as [aA]',
  'control-escape': 'is refused by Python, Go and Rust: write \\x and two hexadecimal digits',
  'unicode-escape': 'is refused by Go and PCRE: write the character itself, or \\x and two digits',
  'octal-escape':
    'is refused by Rust, and by Java unless it starts with \\0: write \\x and two digits',
  'rare-escape': 'is a whole class in Java and PCRE, or refused: write \\x and two digits',
  'needless-escape': 'is refused with the flag u, and by other engines: drop the \\',
  'foreign-escape':
    'is that letter alone here, refused with the flag u, and an anchor or a class elsewhere: write what it means',
  'bare-bracket': 'is refused with the flag u, and a quantifier or an error elsewhere: escape it',
  'bracket-in-class': 'opens a class within the class in Java and Rust: escape it',
  'class-operator': 'is an operation on sets in Java or Rust: escape it, or put it apart',
  'hyphen-beside-set': 'is refused with the flag u and by others: escape it, or put it last',
  'empty-class': 'is the start of a class that holds a ] elsewhere: write what it means',
  'large-repeat': 'repeats more than 1000 times, which Go refuses: use minLength and maxLength',
  possessive: 'is possessive in Java and PCRE and no ECMAScript: repeat without the +',
  'atomic-group': 'is atomic in Java, .NET and PCRE and no ECMAScript: write (…)',
  'python-group': "is Python's, and no ECMAScript: write (…)",
  'foreign-group': 'is no ECMAScript, which JSON Schema patterns are: write it without',
  'not-ecma': 'is why it is no ECMAScript regular expression: correct it',
} as const

export type Construct = keyof typeof SAYINGS
