import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { useCurrentWorkspace } from '../../api/current-workspace.ts'
import { useApi } from '../../api/session.ts'
import { useAddSource } from '../../api/sources.ts'
import { Page } from '../../ui/page.tsx'
import { remember, remembered } from '../../ui/remembered.ts'
import { AddressStep } from './address-step.tsx'
import { AskStep } from './ask-step.tsx'
import { PagesStep, type SiteChoice } from './pages-step.tsx'
import { SiteStep } from './site-step.tsx'
import classes from './start-page.module.css'
import { useSitePreview, type SiteToRead } from './use-preview.ts'
import { useStartBase } from './use-start-base.ts'

const STEPS = [
  ['address', 'Address', 'Ask your documentation', 'In a minute you have a first answer with its sources.'],
  ['pages', 'Pages', 'What will be read', 'Nothing is stored yet. Leave out what does not belong.'],
  ['ask', 'First answer', 'Ask a question', 'You can ask while the rest is being read.'],
  [
    'site',
    'Your site',
    'Put it on your site',
    'Paste this anywhere into your pages, such as before </body>.',
  ],
] as const
type Step = (typeof STEPS)[number][0]

/** Where the person is, and the way out. */
function StepList({ current }: { current: Step }) {
  const at = STEPS.findIndex(([step]) => step === current)
  return (
    <ol className={classes['steps']} aria-label="Steps">
      {STEPS.map(([step, name], place) => (
        <li key={step} aria-current={step === current ? 'step' : undefined}>
          <span className={classes['sign']} aria-hidden="true">
            {place < at ? '✓' : place + 1}
          </span>
          <span className={classes['stepName']}>{name}</span>
          {place < at && <span className="visually-hidden"> (done)</span>}
        </li>
      ))}
    </ol>
  )
}

/** The first steps: from an address, or the sample, to a cited answer and the widget on a page. */
export function StartPage() {
  const search = useSearch({ from: '/start' })
  const navigate = useNavigate()
  const api = useApi()
  const workspaceId = useCurrentWorkspace()?.id ?? ''
  const { bases, baseFor, isForPreview, keep, takeAway, refresh } = useStartBase(workspaceId, search.kb)
  const [typed, setTyped] = useState(() => remembered('start-address') ?? '')
  const [site, setSite] = useState<SiteToRead>()
  const { seen, look, forget } = useSitePreview()
  // Without a site there is nothing to show: after a reload the address is still in its field.
  const step: Step =
    search.kb === undefined || (search.step === 'pages' && site === undefined)
      ? 'address'
      : (search.step ?? 'address')

  const goTo = async (to: Step, kb = search.kb) =>
    await navigate({ to: '/start', search: { step: to, ...(kb !== undefined && { kb }) } })

  // Whoever is at the address again, also by the browser's way back, types another one.
  useEffect(() => {
    if (step === 'address') takeAway()
  }, [step, takeAway])

  function lookAt(baseId: string, next: SiteToRead): void {
    setSite(next)
    void look(baseId, next).then((isFailed) => isFailed && takeAway())
  }
  const read = useMutation({
    mutationFn: async (next: SiteToRead) => {
      const baseId = await baseFor(URL.parse(next.url)?.host ?? next.url)
      lookAt(baseId, next)
      await goTo('pages', baseId)
    },
  })
  const sample = useMutation({
    mutationFn: async () => {
      const made = await api.createKnowledgeBase({
        name: 'Citewell',
        workspace_id: workspaceId,
        sample: true,
      })
      await refresh()
      await goTo('ask', made.id)
    },
  })
  const add = useAddSource(search.kb ?? '')
  const save = useMutation({
    mutationFn: async ({ url, include, exclude, ...rest }: SiteChoice) => {
      const { kb } = search
      if (kb === undefined) return
      const config = { start_urls: [url], include: [...include], exclude: [...exclude] }
      await add.mutateAsync({ ...rest, type: 'website', name: URL.parse(url)?.host ?? url, config })
      keep()
      await goTo('ask', kb)
    },
  })

  const ready = (bases.data ?? []).filter(
    ({ status, document_count: documents, your_permissions: may }) =>
      status === 'active' && documents > 0 && may.includes('chat'),
  )
  const screens: Record<Step, () => ReactNode> = {
    address: () => (
      <AddressStep
        typed={typed}
        onTyped={(text) => {
          setTyped(text)
          remember('start-address', text)
        }}
        error={read.error ?? sample.error}
        isBusy={read.isPending || sample.isPending}
        ready={bases.isPending ? undefined : ready}
        onRead={({ href: url }) => read.mutate({ url, include: [], exclude: [] })}
        onSample={() => sample.mutate()}
        onGoOn={(baseId) => void goTo('ask', baseId)}
      />
    ),
    pages: () =>
      site !== undefined &&
      search.kb !== undefined && (
        <PagesStep
          site={site}
          seen={seen}
          isSaving={save.isPending}
          error={save.error ?? read.error}
          // After a preview that failed, its knowledge base is no longer there.
          onSite={(next) => (seen.state === 'failed' ? read.mutate(next) : lookAt(search.kb ?? '', next))}
          onBack={() => {
            forget()
            save.reset()
            read.reset()
            void (isForPreview(search.kb)
              ? navigate({ to: '/start', search: { step: 'address' } })
              : goTo('address'))
          }}
          onSave={(choice) => save.mutate(choice)}
        />
      ),
    ask: () =>
      search.kb !== undefined && (
        <AskStep
          key={search.kb}
          baseId={search.kb}
          onBack={() => void goTo('address')}
          onDone={() => void goTo('site')}
        />
      ),
    site: () => search.kb !== undefined && <SiteStep baseId={search.kb} onBack={() => void goTo('ask')} />,
  }
  const [, , title, lead] = STEPS.find(([name]) => name === step) ?? STEPS[0]
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <Link className={classes['skip']} to="/w/$workspaceId" params={{ workspaceId }}>
          Skip to the knowledge bases
        </Link>
      }
    >
      <StepList current={step} />
      <div className={classes['step']}>{screens[step]()}</div>
    </Page>
  )
}
