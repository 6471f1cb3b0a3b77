import type { HelpdeskCheck } from '@citewell/sdk/management'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Fault } from '../../ui/fault.tsx'
import { GuidePage } from '../../ui/guide-page.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Banner, Status } from '../../ui/status.tsx'
import { drivenOf, type ConnectionKind, type Driven } from './connection-kinds.ts'
import { useSetup } from './connection-state.tsx'
import type { Integration } from './integration-kinds.ts'
import classes from './platform-connection.module.css'

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
  return (
    <Loaded query={useSetup(of, kind, true)}>
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
  const platform = drivenOf(of, kind)
  if (platform === undefined) return null
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
