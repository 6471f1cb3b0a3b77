import { useEffect, useRef } from 'react'
import classes from './cited-passage.module.css'
import { findWords } from './find-words.ts'

/** The text of a passage, with the cited words marked and scrolled into view. */
export function CitedPassage({ text, excerpt }: { text: string; excerpt: string }) {
  const found = findWords(text, excerpt)
  const mark = useRef<HTMLElement>(null)
  useEffect(() => {
    // Not returned: newer browsers give a promise.
    mark.current?.scrollIntoView({ block: 'nearest' })
  }, [text, excerpt])
  if (found === undefined) return <p className={classes['text']}>{text}</p>
  return (
    <p className={classes['text']} dir="auto">
      {text.slice(0, found.from)}
      <mark ref={mark} className={classes['mark']}>
        {text.slice(found.from, found.to)}
      </mark>
      {text.slice(found.to)}
    </p>
  )
}
