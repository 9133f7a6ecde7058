/** The line that gives a stack trace away: of Node, Python, Java and its kin, Go, Rust, .NET, Ruby or PHP. */
export const stackTrace = (text: string): string | undefined => {
  for (const pattern of TRACES) {
    const found = pattern.exec(text)
    if (found) return found[0]
  }
  return undefined
}

const TRACES: readonly RegExp[] = [
  // at handle (/app/server.js:10:5), at async file:///app/server.js:10:5
  /\bat (?:async )?(?:[\w$.<>[\] ]{1,100} \()?(?:file:\/\/|node:|[A-Za-z]:\\|\/)[^\s()]{1,300}:\d+:\d+\)?/,
  /Traceback \(most recent call last\)/,
  /\bFile "[^"\n]{1,300}", line \d+, in /,
  // at com.example.Orders.find(Orders.java:42)
  /\bat [\w$]+(?:\.[\w$<>]+)+\((?:\w+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/,
  /\bgoroutine \d+ \[[a-z ]+\]:/,
  /\bthread '[^'\n]{1,100}' (?:\(\d+\) )?panicked at /,
  /\bstack backtrace:\s+\d+:/,
  // at Shop.Orders.Find() in C:\src\Orders.cs:line 42
  /\bat [\w.`<>[\]]+\([^)\n]{0,200}\) in [^\n]{1,300}:line \d+/,
  /\/[\w./-]{1,300}\.rb:\d+:in [`']/,
  /#\d+ \/[\w./-]{1,300}\.php\(\d+\):/,
]

/**
 * A path that only the machine of a server has. What merely looks like one, a pointer into a body or the path of a URL, is
 * none: it begins with a folder that nothing but an operating system has, or leads through `node_modules`.
 */
export const machinePath = (text: string): string | undefined => PATH.exec(text)?.[1]

/** A service may well have a page `/home` and users under `/Users`; what follows here no service calls its own. */
const ROOTS = [
  'home/[\\w.-]+/[\\w.-]+',
  'usr/(?:local|lib|src|share|bin)',
  'var/(?:www|lib|task|run|log|folders)',
  'private/(?:tmp|var)',
  'etc/(?:ssl|nginx|passwd|hosts)',
  '(?:[\\w.-]+/){1,12}node_modules/[\\w@.-]+',
]

/** After a blank, a quote, a bracket or `file://`: in a URL, and in a longer pointer, something goes on before it. */
const PATH = new RegExp(
  [
    '(?:^|[\\s"\'`(\\[=,]|file://)',
    `(/(?:${ROOTS.join('|')})(?:/[\\w@+.-]+)*`,
    '|[A-Za-z]:\\\\(?:[\\w .-]+\\\\)+[\\w.-]+)',
  ].join(''),
)
