import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { areSingleKeysOn, setSingleKeys } from '../../ui/single-keys.ts'
import { chooseTheme, chosenTheme, THEMES } from '../../ui/theme.ts'
import { Select, Switch } from '../../ui/field.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { AccessTokens } from './access-tokens.tsx'
import { ConnectedTools } from './connected-tools.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Sessions } from './sessions.tsx'

const WORDS = { system: 'Match the system', light: 'Light', dark: 'Dark' } as const

/** What is the person's own. */
export function MePage() {
  const { user } = useSession().me
  const [theme, setTheme] = useState(chosenTheme)
  const [singleKeys, showSingleKeys] = useState(areSingleKeysOn)
  return (
    <Page title="Your settings" lead={user.email}>
      <Card title="Looks">
        <Select
          label="Colours"
          options={THEMES.map((one) => [one, WORDS[one]] as const)}
          value={theme}
          onChange={(event) => {
            const chosen = THEMES.find((one) => one === event.target.value) ?? 'system'
            chooseTheme(chosen)
            setTheme(chosen)
          }}
        />
      </Card>
      <Card title="Keyboard">
        <Switch
          label="Single keys"
          checked={singleKeys}
          onChange={(event) => {
            setSingleKeys(event.target.checked)
            showSingleKeys(event.target.checked)
          }}
          hint="J and K for rows, / for the filter, G and a letter for a screen, ? for the list of all keys. They work outside of fields."
        />
      </Card>
      <Card title="Signing in">
        <p>
          <a href="/account">Name, password and sign-in providers</a>
        </p>
      </Card>
      <Sessions />
      <ConnectedTools />
      <AccessTokens />
      <DeleteAccount />
    </Page>
  )
}
