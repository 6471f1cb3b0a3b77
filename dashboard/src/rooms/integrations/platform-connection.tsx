import type { HelpdeskCheck, HelpdeskSetup, Management } from '@citewell/sdk/management'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Fault } from '../../ui/fault.tsx'
import { GuidePage } from '../../ui/guide-page.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Banner, Status } from '../../ui/status.tsx'
import classes from './platform-connection.module.css'
import type { Integration } from './integration-kinds.ts'

interface Driven {
  name: string
  guide: string
  /** Where its address is entered, if the platform sends to one. */
  address: string
  /** Where its manifest is pasted, if it takes one. */
  manifest: string
  /** What is driven of a help desk: tickets, if it is not said. */
  handles?: 'chats'
}

/** How the integrations of a kind are connected. */
export interface ConnectionKind {
  /** Of its queries. */
  key: string
  /** The platforms that the service drives itself. The others are driven by a program of the owner, which needs no set-up here. */
  driven: Record<string, Driven>
  setup: (
    api: Management,
    id: string,
    options: { signal: AbortSignal },
  ) => Promise<HelpdeskSetup & { manifest?: Record<string, unknown> | null }>
  check: (api: Management, id: string) => Promise<HelpdeskCheck>
}

export const BOT_CONNECTIONS: ConnectionKind = {
  key: 'bots',
  driven: {
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
    teams: {
      name: 'Microsoft Teams',
      guide: 'teams.md',
      address: 'Azure Bot, Configuration, Messaging endpoint: paste this',
      manifest: 'manifest.json of the app package: paste this',
    },
    mattermost: {
      name: 'Mattermost',
      guide: 'mattermost.md',
      address: 'Only for the command /ask: Integrations, Slash Commands, Request URL: paste this',
      manifest: 'Manifest',
    },
    google_chat: {
      name: 'Google Chat',
      guide: 'google-chat.md',
      address: 'Google Chat API, Configuration, HTTP endpoint URL: paste this',
      manifest: 'Manifest',
    },
    telegram: {
      name: 'Telegram',
      guide: 'telegram.md',
      address: 'The check gives Telegram this address',
      manifest: 'Manifest',
    },
  },
  setup: (api, id, options) => api.getBotSetup(id, options),
  check: (api, id) => api.checkBot(id),
}

export const HELPDESK_CONNECTIONS: ConnectionKind = {
  key: 'helpdesk-integrations',
  driven: {
    chatwoot: {
      name: 'Chatwoot',
      guide: 'chatwoot.md',
      address: 'Settings, Bots, the address of the bot: paste this',
      manifest: 'Manifest',
      handles: 'chats',
    },
    email: { name: 'the mailbox', guide: 'email.md', address: 'Address', manifest: 'Manifest' },
    freshdesk: {
      name: 'Freshdesk',
      guide: 'freshdesk.md',
      address: 'Automations, the action that sends to a URL: paste this',
      manifest: 'Manifest',
    },
    front: {
      name: 'Front',
      guide: 'front.md',
      address: 'Developers, the app, URL of the server: paste this',
      manifest: 'Manifest',
    },
    helpscout: {
      name: 'Help Scout',
      guide: 'help-scout.md',
      address: 'Manage, Apps, callback address: paste this',
      manifest: 'Manifest',
    },
    hubspot: {
      name: 'HubSpot',
      guide: 'hubspot.md',
      address: 'The app, target URL: paste this',
      manifest: 'Manifest',
    },
    intercom: {
      name: 'Intercom',
      guide: 'intercom.md',
      address: 'Developer Hub, the app, endpoint URL: paste this',
      manifest: 'Manifest',
      handles: 'chats',
    },
    request_tracker: {
      name: 'Request Tracker',
      guide: 'request-tracker.md',
      address: 'Address',
      manifest: 'Manifest',
    },
    zammad: {
      name: 'Zammad',
      guide: 'zammad.md',
      address: 'Manage, Endpoint: paste this',
      manifest: 'Manifest',
    },
    zendesk: {
      name: 'Zendesk',
      guide: 'zendesk.md',
      address: 'Apps and integrations, Endpoint URL: paste this',
      manifest: 'Manifest',
    },
    zendesk_messaging: {
      name: 'Zendesk messaging',
      guide: 'zendesk-messaging.md',
      address: 'Conversations integrations, endpoint URL: paste this',
      manifest: 'Manifest',
      handles: 'chats',
    },
  },
  setup: (api, id, options) => api.getHelpdeskSetup(id, options),
  check: (api, id) => api.checkHelpdesk(id),
}

function CheckResult({ check: { is_working, account, problems } }: { check: HelpdeskCheck }) {
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
function Setup({ of, kind, platform }: { of: Integration; kind: ConnectionKind; platform: Driven }) {
  const api = useApi()
  const setup = useQuery({
    queryKey: [kind.key, of.knowledge_base_id, 'setup', of.id],
    queryFn: ({ signal }) => kind.setup(api, of.id, { signal }),
  })
  return (
    <Loaded query={setup}>
      {({ hook_url, manifest, credentials, settings }) => (
        <div className={classes['setup']}>
          <GuidePage file={platform.guide} />
          {manifest !== null && manifest !== undefined && (
            <div className={classes['manifest']}>
              <CopyField label={platform.manifest} text={JSON.stringify(manifest, undefined, 2)} />
            </div>
          )}
          {hook_url !== null && <CopyField label={platform.address} text={hook_url} />}
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

/** How to connect an integration that the service drives itself, and whether it is connected. */
export function PlatformConnection({
  of,
  kind,
  blocked,
}: {
  of: Integration
  kind: ConnectionKind
  blocked: string | undefined
}) {
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const check = useMutation({ mutationFn: () => kind.check(api, of.id) })
  const platform = kind.driven[of.platform ?? '']
  // The other product of a help desk is driven by a program.
  const isOther = of.handles !== undefined && of.handles !== (platform?.handles ?? 'tickets')
  if (platform === undefined || isOther) return null
  return (
    <>
      <p>
        <Button
          blocked={blocked}
          disabled={check.isPending}
          onClick={() => check.mutate()}
          aria-label={`Check ${of.name}`}
        >
          {check.isPending ? `Asking ${platform.name}…` : 'Check'}
        </Button>
      </p>
      {check.isError && <Fault error={check.error} />}
      {check.data !== undefined && <CheckResult check={check.data} />}
      {blocked === undefined && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Connect it to {platform.name}</summary>
          {isOpen && <Setup of={of} kind={kind} platform={platform} />}
        </details>
      )}
    </>
  )
}
