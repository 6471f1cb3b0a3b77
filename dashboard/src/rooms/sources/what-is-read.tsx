import type { Source } from '@citewell/sdk/management'
import { Card } from '../../ui/page.tsx'
import { factsOf } from './source-config.ts'
import classes from './what-is-read.module.css'

/** What a source reads: its addresses, and what is included and left out of them. */
export function WhatIsRead({ source }: { source: Source }) {
  const facts = factsOf(source)
  if (facts.length === 0) return null
  return (
    <Card title="What it reads">
      <dl className={classes['facts']}>
        {facts.map(([name, values]) => (
          <div key={name}>
            <dt>{name}</dt>
            {values.map((value) => (
              <dd key={value}>
                {/^https?:\/\//.test(value) ? (
                  <a href={value} target="_blank" rel="noreferrer">
                    {value}
                  </a>
                ) : (
                  value
                )}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Card>
  )
}
