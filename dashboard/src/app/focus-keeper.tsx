import { useEffect } from 'react'

const FOCUSABLE = '[tabindex]'

/** Milliseconds in which others may give the focus a place first: a dialog that closes gives it back to where it was. */
const PATIENCE_MS = 60

/**
 * Gives the focus a place when what had it goes from the screen, such as the row of what was deleted: the nearest part around it that is left.
 * Without it a person with a keyboard begins again at the top of the page.
 */
export function FocusKeeper() {
  useEffect(() => {
    /** What had the focus last, and what is around it, the nearest first. */
    let had: Element[] = []
    const remember = ({ target }: FocusEvent): void => {
      had = []
      for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement)
        had.push(at)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const isLost = (): boolean => document.activeElement === document.body && had[0]?.isConnected === false
    const keep = (): void => {
      timer = undefined
      if (!isLost()) return
      const left = had.find((one) => one.isConnected && one.matches(FOCUSABLE) && one instanceof HTMLElement)
      had = []
      const place = left ?? document.getElementById('content')
      if (place instanceof HTMLElement) place.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(() => {
      if (timer === undefined && isLost()) timer = setTimeout(keep, PATIENCE_MS)
    })
    document.addEventListener('focusin', remember)
    watch.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      watch.disconnect()
      clearTimeout(timer)
    }
  }, [])
  return null
}
