import { expect, test } from 'vitest'
import { decodeText } from './charset.ts'

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const utf8 = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array, charset?: string) => decodeText(bytes, { charset, mayDeclare: true })

test('a byte order mark wins over the transport, the transport over the page, the page over the default', () => {
  expect(decode(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8('é')), 'iso-8859-1')).toBe('é')
  expect(decode(Uint8Array.of(0xff, 0xfe, 0x61, 0x00))).toBe('a')
  expect(decode(latin1('<meta charset="utf-8">caf\xe9'), 'iso-8859-1')).toContain('café')
  expect(decode(latin1('<meta charset="iso-8859-1">caf\xe9'))).toContain('café')
  expect(
    decode(latin1('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">\xcf')),
  ).toContain('П')
  expect(decode(latin1('<?xml version="1.0" encoding="ISO-8859-2"?>\xb1'))).toContain('ą')
  expect(decode(utf8('日本語'))).toBe('日本語')
})

test('a charset that nobody knows counts as not stated', () => {
  expect(decode(utf8('é'), 'x-unheard-of')).toBe('é')
  expect(decode(utf8('<meta charset="nonsense">é'))).toContain('é')
})

test('a declaration in a comment, or of UTF-16 in a page that is none, is not obeyed', () => {
  expect(decode(utf8('<!-- <meta charset="iso-8859-1"> -->é'))).toContain('é')
  expect(decode(utf8('<meta charset="utf-16">é'))).toContain('é')
})

test('bytes that say nothing and are no UTF-8 are read as windows-1252, but for a slip in a UTF-8 page', () => {
  expect(decode(latin1('caf\xe9 \x93x\x94'))).toBe('café “x”')
  expect(decode(Uint8Array.of(...utf8('ééé'), 0xe9))).toBe('ééé\uFFFD')
})
