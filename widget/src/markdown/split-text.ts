import { isTame } from './guard.ts'

/** A part of a text: Markdown for the parser, a block of code, or text that is shown as it is. */
export type Part =
  | { kind: 'markdown'; text: string }
  | { kind: 'code'; text: string; lang: string }
  | { kind: 'plain'; text: string }

const FENCE = /^(`{3,}|~{3,})\s*([^`\n]{0,200})$/

/** Collects lines, and gives them out as parts. */
function createCollector() {
  const parts: Part[] = []
  let tame: string[] = []
  let lines: string[] = []
  const flushTame = () => {
    if (tame.length > 0) parts.push({ kind: 'markdown', text: tame.join('\n\n') })
    tame = []
  }
  const flush = () => {
    const text = lines.join('\n')
    lines = []
    if (text === '') return
    if (isTame(text)) {
      tame.push(text)
      return
    }
    flushTame()
    parts.push({ kind: 'plain', text })
  }
  return {
    parts,
    add: (line: string) => {
      if (line.trim() === '') flush()
      else lines.push(line)
    },
    end: () => {
      flush()
      flushTame()
    },
  }
}

/**
 * Splits a text into what the parser reads and what it does not need to. Blocks of code that begin at the margin are found here:
 * one that is not closed yet is code already, and its text is read once and not again at each new piece.
 */
export function splitText(text: string): Part[] {
  const collector = createCollector()
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, fence, info = ''] = FENCE.exec(line) ?? []
    if (fence === undefined) {
      collector.add(line)
      continue
    }
    collector.end()
    const code: string[] = []
    const closes = (other: string) =>
      other.startsWith(fence) && other.trimEnd().length >= fence.length && /^(`+|~+)\s*$/.test(other)
    while (++at < lines.length && !closes(lines[at] ?? '')) code.push(lines[at] ?? '')
    collector.parts.push({
      kind: 'code',
      text: code.join('\n'),
      lang: /^[\w+#.-]{1,30}/.exec(info)?.[0] ?? '',
    })
  }
  collector.end()
  return collector.parts
}
