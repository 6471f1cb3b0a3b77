import type { BotCheck } from '@citewell/sdk/management'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Fault } from '../../ui/fault.tsx'
import { GuidePage } from '../../ui/guide-page.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Banner, Status } from '../../ui/status.tsx'
import classes from './bot-connection.module.css'
import type { Integration } from './integration-kinds.ts'

interface Driven {
  name: string
  guide: string
  /** Where its address and, if it takes one, its manifest are entered. */
  address: string
  manifest: string
}

/** The platforms that the service drives itself. The others are driven by a program of the owner, which needs no set-up here. */
const DRIVEN: Record<string, Driven> = {
  slack: {
    name: 'Slack',
    guide: 'slack.md',
    address: 'The manifest has this address: Event Subscriptions, Request URL',
    manifest: 'Create New App, From a manifest, JSON: paste this',
  },
  discord: {
    name: 'Discord',
    guide: 'discord.md',
    address: 'General Information, Interactions Endpoint URL: paste this',
    manifest: 'Manifest',
  },
}

function CheckResult({ check: { is_working, account, problems } }: { check: BotCheck }) {
  const opened = `Its credentials open ${account ?? 'no account'}.`
  if (is_working) return <Banner tone="ok">It is connected. {opened}</Banner>
  return (
    <Banner tone="warn">
      {account === null ? 'It is not connected.' : `Something is missing. ${opened}`}
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Banner>
  )
}

/** What is entered at the platform, and which credentials come back from there. */
function Setup({ bot, platform }: { bot: Integration; platform: Driven }) {
  const api = useApi()
  const setup = useQuery({
    queryKey: ['bots', bot.knowledge_base_id, 'setup', bot.id],
    queryFn: ({ signal }) => api.getBotSetup(bot.id, { signal }),
  })
  return (
    <Loaded query={setup}>
      {({ hook_url, manifest, credentials, settings }) => (
        <div className={classes['setup']}>
          <GuidePage file={platform.guide} />
          {manifest !== null && (
            <div className={classes['manifest']}>
              <CopyField label={platform.manifest} text={JSON.stringify(manifest, undefined, 2)} />
            </div>
          )}
          <CopyField label={platform.address} text={hook_url} />
          <section>
            <h3>What it needs</h3>
            <ul aria-label="What it needs">
              {credentials.map(({ name, description, is_set }) => (
                <li key={name}>
                  <Status tone={is_set ? 'ok' : 'warn'}>{is_set ? 'Stored' : 'Missing'}</Status>{' '}
                  <code>{name}</code>: {description}
                </li>
              ))}
            </ul>
          </section>
          <section>
            <h3>What may be set</h3>
            <ul aria-label="What may be set">
              {settings.map(({ name, description }) => (
                <li key={name}>
                  <code>{name}</code>: {description}
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </Loaded>
  )
}

/** How to connect a bot that the service drives itself, and whether it is connected. */
export function BotConnection({ bot, blocked }: { bot: Integration; blocked: string | undefined }) {
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const check = useMutation({ mutationFn: () => api.checkBot(bot.id) })
  const platform = DRIVEN[bot.platform ?? '']
  if (platform === undefined) return null
  return (
    <>
      <p>
        <Button
          blocked={blocked}
          disabled={check.isPending}
          onClick={() => check.mutate()}
          aria-label={`Check ${bot.name}`}
        >
          {check.isPending ? `Asking ${platform.name}…` : 'Check'}
        </Button>
      </p>
      {check.isError && <Fault error={check.error} />}
      {check.data !== undefined && <CheckResult check={check.data} />}
      {blocked === undefined && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Connect it to {platform.name}</summary>
          {isOpen && <Setup bot={bot} platform={platform} />}
        </details>
      )}
    </>
  )
}
