/** Longest text that a reader can ask about, in characters. */
const LONGEST = 1_000

const CSS_TEXT = `.ask-about{position:fixed;z-index:var(--cw-z);min-height:36px;padding:0 14px;border:0;border-radius:8px;
background:var(--cw-text);color:var(--cw-bg);font:600 13px/18px var(--cw-font);box-shadow:0 4px 16px #0004}
@media print{.ask-about{display:none}}`

export interface SelectionParts {
  /** Where the button is put: the shadow root of the panel. */
  root: ShadowRoot
  label(): string
  onPress(quote: string): void
  signal: AbortSignal
}

/** A button beside what the reader selects on the page. It comes with a mouse as with keys, and goes with the selection. */
export function askAboutSelection({ root, label, onPress, signal }: SelectionParts): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS_TEXT)
  root.adoptedStyleSheets.push(sheet)
  const button = document.createElement('button')
  button.className = 'ask-about'
  button.type = 'button'
  button.hidden = true
  root.append(button)
  let timer: ReturnType<typeof setTimeout> | undefined
  const selected = () => {
    const selection = document.getSelection()
    const text = selection?.toString().trim() ?? ''
    const isField = document.activeElement?.matches('input,textarea,[contenteditable]') ?? false
    return text.length > 2 && !isField && selection && selection.rangeCount > 0
      ? { text: text.slice(0, LONGEST), range: selection.getRangeAt(0) }
      : undefined
  }
  const show = () => {
    const found = selected()
    button.hidden = found === undefined
    if (!found) return
    button.textContent = label()
    const { left, width, bottom } = found.range.getBoundingClientRect()
    const x = Math.max(8, Math.min(left + width / 2 - 60, innerWidth - 160))
    button.style.left = `${x}px`
    button.style.top = `${Math.max(8, Math.min(bottom + 8, innerHeight - 44))}px`
  }
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(show, 250)
  }
  document.addEventListener('selectionchange', later, { signal })
  addEventListener('scroll', () => (button.hidden = true), { signal, passive: true })
  signal.addEventListener('abort', () => clearTimeout(timer))
  // The press must not end the selection that it is about.
  button.addEventListener('pointerdown', (event) => event.preventDefault())
  button.addEventListener('click', () => {
    const found = selected()
    button.hidden = true
    if (found) onPress(found.text)
  })
  show()
}
