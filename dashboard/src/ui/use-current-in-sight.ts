import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Keeps the open screen in sight in a list of screens, which is one long line where the window is narrow. */
export function useCurrentInSight() {
  const list = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    function scroll(): void {
      const current = list.current?.querySelector<HTMLElement>('[aria-current="page"]')
      if (list.current === null || current === null || current === undefined) return
      list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.clientWidth) / 2
    }
    scroll()
    // A phone is turned.
    window.addEventListener('resize', scroll)
    return () => window.removeEventListener('resize', scroll)
  }, [pathname])
  return list
}
