import { expect, test } from 'vitest'
import { decodeText } from './charset.ts'

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const utf8 = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array, charset?: string) => decodeText(bytes, { charset, mayDeclare: true })

test('a byte order mark overrides the transport, the transport the page, the page the default', () => {
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

test('an unknown charset counts as not given', () => {
  expect(decode(utf8('é'), 'x-unheard-of')).toBe('é')
  expect(decode(utf8('<meta charset="nonsense">é'))).toContain('é')
})

test('a charset in a comment, or UTF-16 declared in a page that is not UTF-16, is ignored', () => {
  expect(decode(utf8('<!-- <meta charset="iso-8859-1"> -->é'))).toContain('é')
  expect(decode(utf8('<meta charset="utf-16">é'))).toContain('é')
})

test('bytes without a charset that are not UTF-8 are read as windows-1252, unless only a few bytes are invalid', () => {
  expect(decode(latin1('caf\xe9 \x93x\x94'))).toBe('café “x”')
  expect(decode(Uint8Array.of(...utf8('ééé'), 0xe9))).toBe('ééé\uFFFD')
})
