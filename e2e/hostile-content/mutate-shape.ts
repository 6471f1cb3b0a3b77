import type { Random } from '../fuzz/random.ts'

const SPECIAL = [
  '*',
  '_',
  '**',
  '`',
  '```',
  '~~~',
  '[',
  ']',
  '](',
  '![',
  '<',
  '>',
  '</',
  '<!--',
  '-->',
  '&',
  '&#x',
  '|',
  '\n',
  '\n\n',
  '\t',
  '    ',
  '\\',
  '"',
  "'",
  '{',
  '}',
  '{{',
  '%',
  '#',
  '- ',
  '1. ',
  '> ',
  ': ',
  '.. ',
  '::',
  '---',
  '\r',
  '\0',
  '\u2028',
  '\u202e',
  '\u200d',
  '\ufeff',
  '\ud800',
  '\u0301',
  '\u{1f469}\u200d',
  'http://',
  '://',
  '@',
  '<![CDATA[',
  ']]>',
  '$ref',
  '!!js/',
  '&a ',
  '*a ',
  '\u00ad',
  'ﷺ',
]

/** Applies one random change to a text. */
function mutateOnce(text: string, other: string, random: Random): string {
  const at = random.int(text.length + 1)
  const length = 1 + random.int(Math.max(1, Math.min(2_000, text.length - at)))
  const piece = text.slice(at, at + length)
  switch (random.int(8)) {
    case 0:
      return text.slice(0, at) + random.pick(SPECIAL).repeat(1 + random.int(2_000)) + text.slice(at)
    case 1:
      return text.slice(0, at) + piece.repeat(2 + random.int(200)) + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(at + length)
    case 3:
      return text.slice(0, at) + other.slice(random.int(other.length + 1)) + text.slice(at)
    case 4:
      return text.replaceAll('\n', random.pick(['', ' ', '\n\n', '\r\n']))
    case 5:
      return text.slice(0, at) + random.pick(SPECIAL) + piece + random.pick(SPECIAL) + text.slice(at + length)
    case 6: {
      const opening = random.pick(SPECIAL)
      return opening.repeat(1 + random.int(5_000)) + text
    }
    default:
      return piece
        .padEnd(1, 'x')
        .repeat(Math.ceil((1 + random.int(text.length + 1)) / Math.max(1, piece.length)))
  }
}

/** A text of at most `size` characters, made from a shape by a few random changes. */
export function mutateShape(text: string, other: string, size: number, random: Random): string {
  let changed = text
  const changes = random.int(6)
  for (let count = 0; count < changes; count += 1) {
    changed = mutateOnce(changed, other, random).slice(0, size)
  }
  return changed
}
