import { LIMITS } from '@citewell/contract/limits'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/field.tsx'
import { actionsOf, type DeclaredAction } from './declared-actions.ts'
import classes from './platform-connection.module.css'

/** Most actions of one agent app, as the service takes them. */
const MOST_ACTIONS = 50

const NEW: DeclaredAction = { name: '', url: '', description: '' }

/** The actions of an agent app: each with the address that carries it out. */
export function ActionFields({ config }: { config: Readonly<Record<string, unknown>> | undefined }) {
  const [rows, setRows] = useState(() => actionsOf(config).map((action, key) => ({ key, action })))
  return (
    <fieldset className={classes['actions']}>
      <legend>Actions</legend>
      <p>
        What the agent may ask to do. Once somebody has approved it, its address gets one signed request. The
        credential signing_secret signs it.
      </p>
      {rows.map(({ key, action }) => (
        <div key={key} className={classes['action']}>
          <TextInput
            label="Name of the action"
            name="action.name"
            required
            maxLength={64}
            pattern="[a-z][a-z0-9_]*"
            title="Lowercase letters, digits and underscores; it begins with a letter."
            spellCheck={false}
            defaultValue={action.name}
          />
          <TextInput
            label="Its address"
            name="action.url"
            type="url"
            required
            maxLength={2_000}
            placeholder="https://shop.example.com/refunds"
            defaultValue={action.url}
          />
          <TextInput
            label="What it does"
            name="action.description"
            maxLength={LIMITS.description}
            defaultValue={action.description ?? ''}
          />
          <Button look="quiet" onClick={() => setRows(rows.filter((row) => row.key !== key))}>
            Remove the action
          </Button>
        </div>
      ))}
      <Button
        blocked={rows.length >= MOST_ACTIONS ? `There are at most ${MOST_ACTIONS} actions.` : undefined}
        onClick={() =>
          setRows([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, action: NEW }])
        }
      >
        Add an action
      </Button>
    </fieldset>
  )
}
