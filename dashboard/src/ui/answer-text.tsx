import type { Citation } from '@citewell/sdk/management'
import { createRenderer, createStreamedBlocks, headingLevels } from '@citewell/widget/markdown'
import { createElement, useMemo, useState, type ReactNode } from 'react'
import classes from './answer-text.module.css'
import { elementOf } from './element-of.ts'

/**
 * An answer while it is written and when it is finished, with its `[n]` as buttons. Nothing of its text becomes markup.
 *
 * @param text - all of it so far
 */
export function AnswerText({
  text,
  citations,
  onCitation,
}: {
  text: string
  citations: readonly Citation[]
  onCitation?: (citation: Citation) => void
}) {
  const [streamed] = useState(createStreamedBlocks)
  const blocks = useMemo(() => streamed.read(text), [streamed, text])
  const levels = headingLevels(blocks, 3)
  return (
    <div className={classes['answer']} dir="auto">
      {blocks.map((block, at) => {
        const render = createRenderer<ReactNode>({
          h: elementOf,
          headingLevel: levels[at] ?? 3,
          citation: (index) => {
            const citation = citations.find((one) => one.index === index)
            if (citation === undefined) return undefined
            return createElement(
              'button',
              {
                type: 'button',
                className: classes['chip'],
                'aria-label': `Source ${index}: ${citation.title}`,
                onClick: () => onCitation?.(citation),
              },
              index,
            )
          },
          code: (code) => (
            <pre tabIndex={0} dir="ltr">
              <code>{code}</code>
            </pre>
          ),
          link: (href) => ({ href, rel: 'noreferrer', target: '_blank' }),
          isImageShown: () => false,
        })
        // oxlint-disable-next-line react/no-array-index-key -- blocks are only added, and keep their places
        return createElement('div', { key: at }, ...render(block))
      })}
    </div>
  )
}
