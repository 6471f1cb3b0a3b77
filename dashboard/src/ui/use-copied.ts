import { useEffect, useRef, useState } from 'react'
import { copyText } from './copy-text.ts'

/** Milliseconds for which it is said that a text was copied: then the next time is told again. */
const SAID_MS = 4_000

/**
 * Copies a text, and what is said beside the button afterwards.
 *
 * @param otherwise - said where the browser does not allow it
 */
export function useCopied(otherwise: string) {
  const [said, say] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  async function copy(text: string, near: Element): Promise<void> {
    clearTimeout(timer.current)
    const isCopied = await copyText(text, near)
    say(isCopied ? 'Copied' : otherwise)
    if (isCopied) timer.current = setTimeout(() => say(''), SAID_MS)
  }
  return { said, copy }
}
