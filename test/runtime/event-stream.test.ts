import { describe, expect, it } from 'vitest'
import { createEventParser, type ServerEvent } from '../../src/runtime/streams/event-stream.js'
import { createSplitter } from '../../src/runtime/streams/pieces.js'

type Row = readonly [title: string, text: string, events: readonly ServerEvent[]]

const ROWS: readonly Row[] = [
  ['one event', 'data: a\n\n', [{ data: 'a' }]],
  ['no blank after the colon', 'data:a\n\n', [{ data: 'a' }]],
  ['only the first blank is left out', 'data:  a\n\n', [{ data: ' a' }]],
  ['several lines of data', 'data: a\ndata: b\ndata\n\n', [{ data: 'a\nb\n' }]],
  ['CR ends lines', 'data: a\rdata: b\r\r', [{ data: 'a\nb' }]],
  ['CR and LF end a line together', 'data: a\r\ndata: b\r\n\r\n', [{ data: 'a\nb' }]],
  ['line ends may be mixed', 'data: a\r\n\ndata: b\r\r\ndata: c\n\r', DATA('a', 'b', 'c')],
  ['a comment is left out', ': wait\n:\ndata: a\n: more\n\n', [{ data: 'a' }]],
  ['an event without data is none', 'event: ping\n\nid: 4\n\ndata: a\n\n', [{ data: 'a' }]],
  ['empty data is data', 'data:\n\ndata\n\n', DATA('', '')],
  ['unknown fields are left out', 'date: a\n data: b\ndata: c\n\n', [{ data: 'c' }]],
  ['a line without a colon is a name', 'a\ndata: b\n\n', [{ data: 'b' }]],
  ['an event that does not end is none', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
  [
    'the name of an event',
    'event: add\ndata: 1\n\ndata: 2\n\n',
    [{ event: 'add', data: '1' }, { data: '2' }],
  ],
  ['the last name counts', 'event: a\nevent: b\ndata: 1\n\n', [{ event: 'b', data: '1' }]],
  ['an id', 'id: 7\ndata: a\n\n', [{ id: '7', data: 'a' }]],
  ['an id with NUL is left out', 'id: 7\0\ndata: a\n\n', [{ data: 'a' }]],
  ['an id may be empty', 'id\ndata: a\n\n', [{ id: '', data: 'a' }]],
  [
    'retry has digits alone',
    'retry: 10\ndata: a\n\nretry: 1.5\ndata: b\n\n',
    [{ retry: 10, data: 'a' }, { data: 'b' }],
  ],
  ['other alphabets', 'data: ä😀\n\n', [{ data: 'ä😀' }]],
]

function DATA(...all: readonly string[]): readonly ServerEvent[] {
  return all.map((data) => ({ data }))
}

describe('an event stream, by WHATWG HTML 9.2.6', () => {
  it.each(ROWS)('%s', (_, text, events) => {
    expect(createEventParser().push(text)).toEqual(events)
  })

  it.each(ROWS)('%s, in pieces of every size', (_, text, events) => {
    for (let size = 1; size < text.length; size += 1) {
      const parser = createEventParser()
      const found: ServerEvent[] = []
      for (let at = 0; at < text.length; at += size)
        found.push(...parser.push(text.slice(at, at + size)))
      expect(found).toEqual(events)
    }
  })

  it('keeps the last id and the last retry', () => {
    const parser = createEventParser('1')
    expect(parser.lastEventId()).toBe('1')
    parser.push('id: 2\nretry: 50\n\ndata: a\n\nid: 3\n')
    expect(parser.lastEventId()).toBe('2')
    expect(parser.retry()).toBe(50)
    parser.push('\n')
    expect(parser.lastEventId()).toBe('3')
  })
})

describe('lines and sequences', () => {
  it.each([
    ['lines', 'lines', '{"a":1}\n[2]\r\n\n  \n3', ['{"a":1}', '[2]', '3']],
    ['records', 'sequence', '\u001e{"a":\n1}\n\u001e[2]\n\u001e\u001e3', ['{"a":\n1}', '[2]', '3']],
  ] as const)('%s, in pieces of every size', (_, format, text, items) => {
    for (let size = 1; size <= text.length; size += 1) {
      const splitter = createSplitter(format, '')
      const found: string[] = []
      for (let at = 0; at < text.length; at += size)
        found.push(...splitter.push(text.slice(at, at + size)).map(({ data }) => data))
      found.push(...splitter.end().map(({ data }) => data))
      expect(found).toEqual(items)
    }
  })

  it('a number or a word of a sequence needs white space behind it, or it may be cut off', () => {
    const splitter = createSplitter('sequence', '')
    const pieces = [...splitter.push('\u001e12\u001e34\n\u001e{"a":1}\u001etru'), ...splitter.end()]
    expect(pieces).toEqual([
      { data: '12', isCutOff: true },
      { data: '34' },
      { data: '{"a":1}' },
      { data: 'tru', isCutOff: true },
    ])
    const lines = createSplitter('lines', '')
    expect([...lines.push('12\n34'), ...lines.end()]).toEqual([{ data: '12' }, { data: '34' }])
  })
})
