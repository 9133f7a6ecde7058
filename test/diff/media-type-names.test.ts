import { describe, expect, it } from 'vitest'
import { covers } from '../../src/diff/body-changes.js'
import { contentFor, mediaTypeName } from '../../src/runtime/wire/content.js'

describe('mediaTypeName', () => {
  it.each([
    ['Application/JSON', 'application/json'],
    ['application/json; charset=UTF-8', 'application/json'],
    ['application/problem+json;charset="utf-8"', 'application/problem+json'],
    ['text/html; charset=UTF-8', 'text/html;charset=utf-8'],
    ['a/b; y=2;x=1', 'a/b;x=1;y=2'],
    ['multipart/x; boundary=AbC', 'multipart/x'],
    ['application/json; charset=iso-8859-1', 'application/json'],
    ['application/json; boundary=a', 'application/json'],
    ['a/b; X="1"', 'a/b;x=1'],
    ['a/b;', 'a/b'],
  ])('reads %s as %s', (written, name) => {
    expect(mediaTypeName(written)).toBe(name)
    // The same as clients and servers read it.
    expect(contentFor([written], name)).toBe(written)
    expect(contentFor([name], written)).toBe(name)
  })
})

describe('covers', () => {
  it.each([
    ['*/*', 'text/csv', true],
    ['text/*', 'text/csv', true],
    ['text/*', 'text/*', true],
    ['text/*', 'application/json', false],
    ['text/csv', 'text/csv; header=present', true],
    ['text/csv; header=present', 'text/csv', false],
    ['text/csv', 'text/*', false],
    ['app/*', 'application/json', false],
  ])('%s covers %s: %s', (wide, narrow, want) => {
    expect(covers(wide, narrow)).toBe(want)
  })
})
