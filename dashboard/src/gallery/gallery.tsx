import '../ui/tokens.css'
import type { Citation } from '@citewell/sdk/management'
import { CitewellError } from '@citewell/sdk/management'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { StrictMode, useState, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { AnswerText } from '../ui/answer-text.tsx'
import { Button } from '../ui/button.tsx'
import { CitationView } from '../ui/citation-view.tsx'
import { Composer } from '../ui/composer.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DayBars } from '../ui/day-bars.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { Select, Switch, TextArea, TextInput } from '../ui/field.tsx'
import { Figures } from '../ui/figures.tsx'
import { Form } from '../ui/form.tsx'
import { textOf } from '../ui/form-values.ts'
import { Skeleton } from '../ui/loaded.tsx'
import { Card, Empty, Page } from '../ui/page.tsx'
import { PassageText } from '../ui/passage-text.tsx'
import { Progress } from '../ui/progress.tsx'
import { SaveForm } from '../ui/save-form.tsx'
import { Snippets } from '../ui/snippets.tsx'
import { Banner, Status, type Tone } from '../ui/status.tsx'
import { Table } from '../ui/table.tsx'
import { count, Time } from '../ui/time.tsx'
import { ToastProvider, useToasts } from '../ui/toast.tsx'
import { Vote } from '../ui/vote.tsx'

const TONES: readonly Tone[] = ['ok', 'warn', 'danger', 'info', 'quiet']
const LONG =
  'A name that is much longer than anybody expected when the screen was drawn, without_a_single_blank_at_its_end'
const HOSTILE = '<img src=x onerror="document.title=1"> **bold** [link](javascript:alert(1))'

const citation: Citation = {
  index: 1,
  title: 'Rotating keys',
  url: 'https://docs.example.com/keys',
  heading_path: ['Keys', 'Rotation'],
  excerpt: 'Keys are rotated every day at midnight.',
  document_id: '',
  chunk_id: '',
}

const refused = new CitewellError('The name is taken.', {
  status: 409,
  code: 'CONFLICT',
  retryable: false,
  requestId: '0197f0c2',
  details: [{ path: 'name', message: 'is taken' }],
})

const DAYS = Array.from({ length: 30 }, (_, day) => ({
  day: `2026-11-${String(day + 1).padStart(2, '0')}`,
  questions: (day * 7) % 23,
  finished: Math.max(0, ((day * 7) % 23) - (day % 3)),
  not_covered: Math.min(day % 4, Math.max(0, ((day * 7) % 23) - (day % 3))),
}))

function Buttons() {
  const { tell, tellFault } = useToasts()
  return (
    <Card title="Buttons and messages" aside={<a href="#top">A link</a>}>
      <p>
        {(['primary', 'plain', 'danger', 'quiet'] as const).map((look) => (
          <span key={look}>
            <Button look={look}>Save the {look} one</Button>{' '}
            <Button look={look} disabled>
              Saving the {look} one
            </Button>{' '}
            <Button look={look} blocked="Only owners may do this.">
              Blocked {look} one
            </Button>{' '}
          </span>
        ))}
      </p>
      <p>
        <Button onClick={() => tell('The settings were saved.')}>Tell something</Button>{' '}
        <Button onClick={() => tellFault(refused)}>Tell a fault</Button>
      </p>
    </Card>
  )
}

function Dialogs() {
  const [open, setOpen] = useState<'form' | 'confirm'>()
  const close = () => setOpen(undefined)
  return (
    <Card title="Dialogs">
      <Button onClick={() => setOpen('form')}>Open a form</Button>{' '}
      <Button onClick={() => setOpen('confirm')}>Ask before deleting</Button>
      <Dialog isOpen={open === 'form'} onClose={close} title={LONG}>
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            close()
          }}
        >
          <TextInput label="Name in the dialog" name="name" />
          <Button type="submit" look="primary">
            Make it
          </Button>
        </Form>
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        onClose={close}
        title="Delete it"
        action="Delete it for good"
        onConfirm={close}
      >
        <p>This cannot be undone.</p>
      </ConfirmDialog>
    </Card>
  )
}

const Fields = () => (
  <Card title="Fields">
    <TextInput label="Name" defaultValue={LONG} hint="Readers see it." />
    <TextInput label="Address" placeholder="https://docs.example.com/" error="is not an address" />
    <TextArea label="Note" defaultValue={HOSTILE} />
    <Select
      label="Visible to"
      options={[
        ['public', 'Everyone'],
        ['restricted', LONG],
      ]}
    />
    <Switch label="On" defaultChecked hint="Switched off, it answers nothing." />
    <Switch label="Disabled" disabled />
  </Card>
)

const changeOf = (form: FormData) => ({ name: textOf(form, 'name') })
const Settings = ({ blocked }: { blocked?: string }) => (
  <SaveForm
    title={blocked === undefined ? 'Settings that can be saved' : 'Settings that are read only'}
    blocked={blocked}
    record={{ name: 'Acme' }}
    readRecord={async () => await Promise.resolve({ name: 'By Grace' })}
    changeOf={changeOf}
    save={async () => await Promise.reject(refused)}
    requestOf={(body) => ({ method: 'PATCH', path: '/api/v1/x', body })}
  >
    <TextInput label={blocked === undefined ? 'Name of it' : 'Its name'} name="name" defaultValue="Acme" />
  </SaveForm>
)

const Words = () => (
  <>
    <Card title="States">
      <p>
        {TONES.map((tone) => (
          <span key={tone}>
            <Status tone={tone}>{tone}</Status>{' '}
          </span>
        ))}
        <Vote vote="up" /> <Vote vote="down" /> <Vote vote={null} /> <Time at="2026-01-01T00:00:00Z" />
      </p>
      {TONES.map((tone) => (
        <Banner key={tone} tone={tone} action={<Button>Restore {tone}</Button>}>
          {LONG}
        </Banner>
      ))}
      <Fault error={refused} onRetry={() => undefined} />
      <Empty says="Nothing yet. Give Citewell the address of your documentation.">
        <Button look="primary">Add the first source</Button>
      </Empty>
      <Skeleton />
      <Progress label="Pages read" value={214} max={312} />
    </Card>
    <Card title="Text">
      <AnswerText
        text={`Keys are rotated [1].\n\n\`\`\`sh\nrotate\n\`\`\`\n\n- one\n- two\n\n${HOSTILE}`}
        citations={[citation]}
      />
      <PassageText
        text={`## Rotation\n\nKeys are **rotated** every day.\n\n${HOSTILE}`}
        marked="are rotated every"
      />
      <CitationView citation={citation} />
      <CopyField label="Address" text="https://docs.example.com/mcp" />
      <Snippets
        label="Tools"
        snippets={['HTML', 'React'].map((name) => ({ name, place: `page.${name}`, text: LONG }))}
      />
    </Card>
  </>
)

const Data = () => (
  <>
    <Figures
      figures={[
        { name: 'Questions', value: count(1_204), note: '8 % more' },
        { name: 'State', value: <Status tone="ok">Up to date</Status> },
        { name: LONG, value: '–' },
      ]}
    />
    <Table
      label="Sources"
      rows={['docs', LONG, HOSTILE]}
      keyOf={(name) => name}
      columns={[
        { name: 'Name', of: (name) => <a href="#top">{name}</a> },
        { name: 'Documents', isNumber: true, of: ({ length }) => count(length * 1_000) },
        { name: 'Details', of: () => false },
        { name: 'Actions', of: (name) => <Button aria-label={`Delete ${name}`}>Delete</Button> },
      ]}
    />
    <Card title="Days">
      <DayBars days={DAYS} />
    </Card>
    <Card title="Days without a question">
      <DayBars days={DAYS.map(({ day }) => ({ day, questions: 0, finished: 0, not_covered: 0 }))} />
    </Card>
    <Composer
      placeholder="Ask a question"
      isDisabled={false}
      isWriting={false}
      onAsk={() => undefined}
      onStop={() => undefined}
    />
  </>
)

function Gallery(): ReactNode {
  return (
    <Page
      title="Components"
      lead="Every part of the dashboard in its states."
      actions={<Button>An action</Button>}
    >
      <Buttons />
      <Dialogs />
      <Fields />
      <Settings />
      <Settings blocked="This knowledge base is archived." />
      <Words />
      <Data />
    </Page>
  )
}

const router = createRouter({
  routeTree: createRootRoute(),
  history: createMemoryHistory({ initialEntries: ['/'] }),
})
const place = document.getElementById('app')
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <RouterContextProvider router={router}>
          <ToastProvider>
            <Gallery />
          </ToastProvider>
        </RouterContextProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
