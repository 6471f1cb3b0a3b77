import type { Random } from './random.ts'

/** The body of a request, and the name of its mutation. */
export interface SentBody {
  bytes: Buffer
  contentType: string | undefined
  did: string
}

const MEBIBYTE = 1_048_576
const DEPTH = 100_000

const json = (text: string | Buffer, did: string): SentBody => ({
  bytes: Buffer.from(text),
  contentType: 'application/json',
  did,
})

const CONTENT_TYPES = [
  undefined,
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-16',
  'application/json;;;=',
  'APPLICATION/JSON ; charset="UTF-8"',
  'application/jsonx',
  ' ',
] as const

/** Sends a JSON value in an unusual or invalid way. */
export function mutateBody(value: unknown, random: Random): SentBody {
  const text = JSON.stringify(value) ?? ''
  const did = random.pick([
    'broken-utf8',
    'cut-off',
    'trailing',
    'byte-order-mark',
    'empty',
    'no-object',
    'duplicate-keys',
    'deep',
    'deep-object',
    'just-over-1-mib',
    'just-under-1-mib',
    'infinite',
    'content-type',
    'not-a-number',
  ] as const)
  switch (did) {
    case 'broken-utf8': {
      const bytes = Buffer.from(text)
      const at = bytes.indexOf('"') + 1
      const broken = random.pick([[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80]])
      return json(Buffer.concat([bytes.subarray(0, at), Buffer.from(broken), bytes.subarray(at)]), did)
    }
    case 'cut-off':
      return json(text.slice(0, random.int(text.length + 1)), did)
    case 'trailing':
      return json(`${text}${random.pick([',', '}', '{}', '\u0000', 'null', '//'])}`, did)
    case 'byte-order-mark':
      return json(`\ufeff${text}`, did)
    case 'empty':
      return json('', did)
    case 'no-object':
      return json(random.pick(['null', '[]', '"x"', '1', 'true', '[[{}]]', '{}', ' ']), did)
    case 'duplicate-keys':
      return json(text.replace('{', '{"name":1,"name":{},"query":2,"__proto__":{"name":"x"},'), did)
    case 'deep':
      return json(`{"query":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`, did)
    case 'deep-object':
      return json(`${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`, did)
    case 'just-over-1-mib':
      return json(`{"query":"${'x'.repeat(MEBIBYTE)}"}`, did)
    case 'just-under-1-mib':
      return json(`{"query":"${'x'.repeat(MEBIBYTE - 20)}"}`, did)
    case 'infinite':
      return json(
        text.replace(/:[^,}\]]+/, random.pick([':1e999', ':-1e999', ':1e-400', `:${'9'.repeat(5_000)}`])),
        did,
      )
    case 'not-a-number':
      return json(
        text.replace(/:[^,}\]]+/, random.pick([':NaN', ':Infinity', ':undefined', ':0x10', ":'x'"])),
        did,
      )
    case 'content-type':
      return { bytes: Buffer.from(text), contentType: random.pick(CONTENT_TYPES), did }
  }
}

/** A file upload that may be complete. */
export function uploadBody(random: Random): SentBody {
  const boundary = 'fuzz'
  const part = (name: string, fileName: string | undefined, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\nContent-Type: text/markdown\r\n\r\n${text}\r\n`
  const whole = `${part('file', 'guide.md', '# Guide\n\nRotate the key daily.')}--${boundary}--\r\n`
  const did = random.pick([
    'whole',
    'cut-off',
    'no-file',
    'odd-name',
    'empty',
    'many',
    'other-boundary',
  ] as const)
  const texts: Record<typeof did, string> = {
    whole,
    'cut-off': whole.slice(0, random.int(whole.length)),
    'no-file': `${part('file', undefined, 'x')}--${boundary}--\r\n`,
    'odd-name': `${part('file', random.pick(['../../x.md', '\u202e.md', 'a'.repeat(3_000), '', '.', 'x.exe']), 'x')}--${boundary}--\r\n`,
    empty: '',
    many: `${part('file', 'a.md', 'x').repeat(300)}--${boundary}--\r\n`,
    'other-boundary': whole.replaceAll('--fuzz', '--else'),
  }
  return {
    bytes: Buffer.from(texts[did]),
    contentType: `multipart/form-data; boundary=${boundary}`,
    did: `file-${did}`,
  }
}
