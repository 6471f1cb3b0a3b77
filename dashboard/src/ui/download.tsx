import type { ReactNode } from 'react'
import classes from './button.module.css'

/** A file of the service, to save. It looks like the other actions of a screen. */
export function Download({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={[classes['button'], classes['plain']].join(' ')} href={href} download>
      {children}
    </a>
  )
}

/** Milliseconds that a browser gets to begin a download, before its content is let go. */
const KEPT_MS = 60_000

/** Saves what the page itself has made as a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
