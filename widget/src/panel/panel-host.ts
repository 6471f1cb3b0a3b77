import css from './panel.css?inline'
import answerCss from './answer.css?inline'

let sheets: CSSStyleSheet[] | undefined

/** One sheet for all places of the page. Constructed sheets need no `style-src` of the page. */
function sheetsOnce(): CSSStyleSheet[] {
  sheets ??= [css, answerCss].map((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  return sheets
}

/** Gives an element its shadow root, from which no key reaches the page: neither its shortcuts nor its search field. */
export function openHost(element: HTMLElement): ShadowRoot {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = sheetsOnce()
  for (const type of ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'paste', 'copy', 'cut'])
    element.addEventListener(type, (event) => event.stopPropagation())
  // A page that looks at the element only (a listener in the capture phase, too) sees a field in which somebody writes.
  Object.defineProperty(element, 'isContentEditable', {
    configurable: true,
    get: () => root.activeElement !== null,
  })
  return root
}
