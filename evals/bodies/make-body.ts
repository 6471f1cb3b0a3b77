import type { Random } from '../../service/test/connectors/random.ts'

/** A part of a line. `mention` is of a person, whose name is not kept. */
export interface Span {
  kind: 'text' | 'bold' | 'italic' | 'code' | 'link' | 'mention'
  text: string
}

export interface ListItem {
  spans: Span[]
  inner: string[]
}

/** What platforms have in common, however each of them writes it. `unknown`: a block of a kind that no platform documents. */
export type BodyBlock =
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'paragraph' | 'note' | 'unknown'; spans: Span[] }
  | { kind: 'bullets' | 'numbers'; items: ListItem[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'code'; language: string; text: string }

const CODE = [
  ['bash', 'for f in *.log; do\n  grep -c "a < b && c" "$f" || exit 1\ndone'],
  ['python', 'def area(w, h):\n    """Of a box."""\n    return w * h  # not w ** h'],
  ['json', '{\n  "limits": [1, 2],\n  "name": "a & b"\n}'],
  ['sql', "select name, '<none>' as kind\nfrom items\nwhere size >= 10;"],
] as const

/** Sentences of real pages, without markup: one or several of them are a paragraph. */
export function sentencesOf(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/))
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => /^[A-Z][\w ,;:()'%/.-]{30,240}[.!?]$/.test(sentence))
}

/** A body of 8 to 20 blocks. */
export function makeBody(random: Random, sentences: readonly string[]): BodyBlock[] {
  const sentence = () => random.of(sentences)
  const words = (most: number) =>
    sentence()
      .replaceAll(/[^\w ]/g, '')
      .split(' ')
      .slice(0, 1 + random.below(most))
      .join(' ')
  const spans = (): Span[] =>
    Array.from({ length: 1 + random.below(3) }, () => {
      const kind = random.of(['text', 'text', 'text', 'bold', 'italic', 'code', 'link', 'mention'] as const)
      return { kind, text: kind === 'text' ? sentence() : words(4) }
    })
  const items = (): ListItem[] =>
    Array.from({ length: 2 + random.below(4) }, () => ({
      spans: [{ kind: 'text', text: sentence() }],
      inner: Array.from({ length: random.below(3) }, () => words(6)),
    }))
  const makers: (() => BodyBlock)[] = [
    () => ({ kind: 'heading', level: random.of([2, 3]), text: words(6) }),
    () => ({ kind: 'paragraph', spans: spans() }),
    () => ({ kind: 'paragraph', spans: spans() }),
    () => ({ kind: 'note', spans: spans() }),
    () => ({ kind: 'unknown', spans: [{ kind: 'text', text: sentence() }] }),
    () => ({ kind: random.of(['bullets', 'numbers']), items: items() }),
    () => {
      const width = 2 + random.below(4)
      const row = () => Array.from({ length: width }, () => words(4))
      return { kind: 'table', head: row(), rows: Array.from({ length: 1 + random.below(6) }, row) }
    },
    () => {
      const [language, text] = random.of(CODE)
      return { kind: 'code', language, text }
    },
  ]
  return Array.from({ length: 8 + random.below(13) }, () => random.of(makers)())
}

/** The lines of text that a reader sees of a block. */
export function textOf(block: BodyBlock): string[] {
  const line = (spans: readonly Span[]) =>
    spans.map(({ kind, text }) => (kind === 'mention' ? '' : text)).join(' ')
  switch (block.kind) {
    case 'heading':
    case 'code':
      return [block.text]
    case 'bullets':
    case 'numbers':
      return block.items.flatMap(({ spans, inner }) => [line(spans), ...inner])
    case 'table':
      return [block.head, ...block.rows].map((row) => row.join(' '))
    case 'paragraph':
    case 'note':
    case 'unknown':
      return [line(block.spans)]
  }
}
