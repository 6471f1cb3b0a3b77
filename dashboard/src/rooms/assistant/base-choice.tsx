import type { KnowledgeBase } from '@citewell/sdk/management'
import classes from './assistant-page.module.css'

/** Which knowledge bases are asked. None chosen: all of them. */
export function BaseChoice({
  bases,
  chosen,
  onChange,
}: {
  bases: readonly KnowledgeBase[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const [only, ...others] = bases
  if (only !== undefined && others.length === 0) {
    return <p className={classes['note']}>Answers come from {only.name}.</p>
  }
  return (
    <fieldset className={classes['choice']}>
      <legend>Ask</legend>
      <label>
        <input type="checkbox" checked={chosen.length === 0} onChange={() => onChange([])} />
        All {bases.length}
      </label>
      {bases.map(({ id, name }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
