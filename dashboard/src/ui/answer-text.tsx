import type { Citation } from '@citewell/sdk/management'
import { createRenderer, createStreamedBlocks, headingLevels } from '@citewell/widget/markdown'
import { createElement, useMemo, useState, type ReactNode } from 'react'
import classes from './answer-text.module.css'
import { elementOf } from './element-of.ts'

/**
 * An answer while it is written and when it is finished, with its `[n]` as buttons. Nothing of its text becomes markup.
 *
 * @param text - all of it so far
 * @param isWriting - it only grows. Otherwise it is read as a whole: a finished answer may have other numbers than it was written with, and
 * a text that a person edits may change anywhere.
 */
export function AnswerText({
  text,
  isWriting = false,
  citations,
  onCitation,
}: {
  text: string
  isWriting?: boolean
  citations: readonly Citation[]
  onCitation?: (citation: Citation) => void
}) {
  const [streamed] = useState(createStreamedBlocks)
  const blocks = useMemo(
    () => (isWriting ? streamed.read(text) : streamed.finish(text)),
    [streamed, text, isWriting],
  )
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
