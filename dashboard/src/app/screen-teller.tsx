import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Tells those who hear the page which screen has come, and gives the focus a place where what had it is gone. */
export function ScreenTeller() {
  const router = useRouter()
  const [told, tell] = useState('')
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        tell(document.title.replace(/ · Citewell$/, ''))
        if (document.activeElement === document.body)
          document.getElementById('content')?.focus({ preventScroll: true })
      }),
    [router],
  )
  return (
    <p role="status" className="visually-hidden">
      {told}
    </p>
  )
}
