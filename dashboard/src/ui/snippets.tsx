import * as Ariakit from '@ariakit/react'
import { useId, type ReactNode } from 'react'
import { CopyField } from './copy-field.tsx'
import classes from './snippets.module.css'

export interface Snippet {
  /** Of the tool or language that it is for. */
  name: string
  /** Where it goes, such as `.cursor/mcp.json`. */
  place: string
  text: string
  note?: ReactNode
}

/** The same thing for several tools, one of which is shown. */
export function Snippets({ label, snippets }: { label: string; snippets: readonly Snippet[] }) {
  const id = useId()
  return (
    <div className={classes['snippets']}>
      <Ariakit.TabProvider defaultSelectedId={`${id}-0`}>
        <Ariakit.TabList aria-label={label} className={classes['tabs']}>
          {snippets.map(({ name }, at) => (
            <Ariakit.Tab key={name} id={`${id}-${at}`} className={classes['tab']}>
              {name}
            </Ariakit.Tab>
          ))}
        </Ariakit.TabList>
        {snippets.map(({ name, place, text, note }, at) => (
          <Ariakit.TabPanel key={name} tabId={`${id}-${at}`} unmountOnHide className={classes['panel']}>
            {note !== undefined && <p>{note}</p>}
            <CopyField label={place} text={text} />
          </Ariakit.TabPanel>
        ))}
      </Ariakit.TabProvider>
    </div>
  )
}
