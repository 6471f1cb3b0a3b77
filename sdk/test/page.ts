import { JSDOM } from 'jsdom'
import type { Container } from 'react-dom/client'

/** The part of a window that the tests use. */
interface PageWindow {
  document: { querySelector(selector: string): (Container & { textContent: string }) | null }
  close(): void
}

/** A document for React to draw in, as long as it is in use. Services must have started before. */
export function openPage() {
  const page = new JSDOM('<div id="root"></div>', { url: 'https://docs.example.com/' })
  const window = page.window as unknown as PageWindow
  const globals = { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true }
  Object.assign(globalThis, globals)
  const root = window.document.querySelector('#root')
  if (root === null) throw new Error('The page has no root.')
  return {
    root,
    text: () => root.textContent,
    [Symbol.dispose]: () => {
      for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
      window.close()
    },
  }
}
