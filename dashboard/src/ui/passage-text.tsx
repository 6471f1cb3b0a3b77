import { createRenderer, createStreamedBlocks, headingLevels } from '@citewell/widget/markdown'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import answer from './answer-text.module.css'
import { elementOf } from './element-of.ts'
import { createMarker, withSigns } from './marked-nodes.ts'
import classes from './passage-text.module.css'

/**
 * A passage of a page, as Markdown without images: nothing of its text becomes markup. The cited words are marked and scrolled into view.
 *
 * @param marked - words of the passage
 */
export function PassageText({ text, marked, isQuiet }: { text: string; marked?: string; isQuiet?: boolean }) {
  const first = useRef<HTMLElement>(null)
  useEffect(() => {
    // Not returned: newer browsers give a promise.
    first.current?.scrollIntoView({ block: 'nearest' })
  }, [text, marked])
  const shown = useMemo(() => {
    const blocks = createStreamedBlocks().read(withSigns(text, marked))
    const levels = headingLevels(blocks, 3)
    const mark = createMarker(classes['mark'], first)
    return blocks.map((block, at) => {
      const render = createRenderer<ReactNode>({
        h: elementOf,
        headingLevel: levels[at] ?? 3,
        citation: () => undefined,
        code: (code) => elementOf('pre', { tabIndex: 0, dir: 'ltr' }, elementOf('code', null, code)),
        link: (href) => ({ href, rel: 'noreferrer', target: '_blank' }),
        isImageShown: () => false,
      })
      return elementOf('div', { key: at }, ...render(block).map((node) => mark(node)))
    })
  }, [text, marked])
  return (
    <div
      className={[answer['answer'], classes['passage'], isQuiet && classes['quiet']]
        .filter(Boolean)
        .join(' ')}
      dir="auto"
    >
      {shown}
    </div>
  )
}
