import { scanCode, type CodeKind } from './scan-code.ts'

/** What the browsers call custom highlights: ranges with a name, which a style sheet colours. No element is made. */
const KINDS: readonly CodeKind[] = ['comment', 'string', 'number', 'keyword', 'name']

const nameOf = (kind: CodeKind) => `citewell-${kind}`

/** Colours that are read on the ground of code, 4.5:1 and more, in light and in dark. */
const COLOURS: Record<CodeKind, readonly [string, string]> = {
  comment: ['#5b6a67', '#93a3a0'],
  string: ['#7a4a00', '#e8c07d'],
  number: ['#7b3fa0', '#cda6e8'],
  keyword: ['#1d5a9c', '#8fc1ff'],
  name: ['#0b6660', '#5cc9c1'],
}

/** `light-dark()` knows only the light colour within a highlight. */
const CSS_TEXT = KINDS.map((kind) => {
  const highlight = `::highlight(${nameOf(kind)})`
  const [light, dark] = COLOURS[kind]
  return `${highlight}{color:${light}}:host([data-theme='dark']) code${highlight}{color:${dark}}`
}).join('')

const styled = new WeakSet<Node>()

function addStyle(root: Node): void {
  if (!(root instanceof ShadowRoot) || styled.has(root)) return
  styled.add(root)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS_TEXT)
  root.adoptedStyleSheets.push(sheet)
}

/**
 * Colours a text that is code, and returns what takes the colours away: to be called before the text changes. Does nothing in a
 * browser without custom highlights.
 */
export function paintCode(text: Text, lang: string): () => void {
  const { highlights } = CSS as { highlights?: HighlightRegistry }
  if (highlights === undefined) return () => {}
  addStyle(text.getRootNode())
  const painted = scanCode(text.data, lang).map(({ kind, start, end }) => {
    const range = new StaticRange({
      startContainer: text,
      startOffset: start,
      endContainer: text,
      endOffset: end,
    })
    return [kind, range] as const
  })
  for (const kind of KINDS) if (!highlights.has(nameOf(kind))) highlights.set(nameOf(kind), new Highlight())
  for (const [kind, range] of painted) highlights.get(nameOf(kind))?.add(range)
  return () => {
    for (const [kind, range] of painted) highlights.get(nameOf(kind))?.delete(range)
  }
}

export type PaintCode = typeof paintCode
