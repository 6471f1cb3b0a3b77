import type { CreatedWorkspace, InstanceWorkspace, Management } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, counted, Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

const PLANS = [
  ['free', 'Free'],
  ['pro', 'Pro'],
  ['enterprise', 'Enterprise'],
] as const
const planOf = (value: unknown) => PLANS.find(([plan]) => plan === value)?.[0] ?? 'free'

const KEY = ['instance-workspaces']

function NewWorkspace({ api, onMade }: { api: Management; onMade: (made: CreatedWorkspace) => void }) {
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: (form: FormData) =>
      api.createWorkspace({
        name: textOf(form, 'name'),
        owner_email: textOf(form, 'owner_email'),
        plan: planOf(form.get('plan')),
      }),
    onSuccess: async (made) => {
      onMade(made)
      await client.invalidateQueries({ queryKey: KEY })
    },
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    make.mutate(new FormData(event.currentTarget))
  }
  return (
    <Form hasFailed={make.isError} onSubmit={submit}>
      <TextInput label="Name" name="name" required maxLength={100} />
      <TextInput
        label="E-mail address of its first owner"
        name="owner_email"
        type="email"
        required
        hint="You get a link to give to this person."
      />
      <Select label="Plan" name="plan" options={PLANS} />
      {make.isError && <Fault error={make.error} />}
      <Button look="primary" type="submit" disabled={make.isPending}>
        Create workspace
      </Button>
    </Form>
  )
}

/** Suspends a workspace, after it was said what stops. */
function SuspendDialog({
  workspace,
  onClose,
  onSuspend,
}: {
  workspace: InstanceWorkspace | undefined
  onClose: () => void
  onSuspend: (id: string) => void
}) {
  return (
    <Dialog isOpen={workspace !== undefined} onClose={onClose} title={`Suspend “${workspace?.name ?? ''}”`}>
      <p>
        {counted(
          workspace?.knowledge_base_count ?? 0,
          'active knowledge base is archived: it answers',
          'active knowledge bases are archived: they answer',
        )}{' '}
        nothing on any surface, and no syncs run. Its members can still sign in, read and delete, and can
        neither make nor restore a knowledge base. Nothing is deleted.
      </p>
      <p>
        <Button
          look="danger"
          onClick={() => {
            if (workspace !== undefined) onSuspend(workspace.id)
            onClose()
          }}
        >
          Suspend the workspace
        </Button>
      </p>
    </Dialog>
  )
}

/** The workspaces, with what the operator may do with each. */
export function InstanceWorkspaces({ api }: { api: Management }) {
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<CreatedWorkspace>()
  const [suspending, setSuspending] = useState<InstanceWorkspace>()
  const workspaces = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listWorkspaces({ limit: 100 }, { signal }).all()),
    gcTime: 0,
  })
  const act = useMutation({
    mutationFn: async ({ run }: { run: () => Promise<unknown>; says: string }) => await run(),
    onSuccess: async (_, { says }) => {
      await client.invalidateQueries({ queryKey: KEY })
      tell(says)
    },
    onError: tellFault,
  })
  return (
    <Card title="Workspaces" aside={<Button onClick={() => setMaking(true)}>New workspace</Button>}>
      <Loaded query={workspaces}>
        {(list) => (
          <Table
            label="Workspaces"
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Name', of: ({ name }) => name },
              {
                name: 'State',
                of: ({ suspended_at: at }) =>
                  at === null ? <Status tone="ok">Active</Status> : <Status tone="warn">Suspended</Status>,
              },
              {
                name: 'Plan',
                of: ({ id, name, plan }) => (
                  <select
                    aria-label={`Plan of ${name}`}
                    value={plan}
                    disabled={act.isPending}
                    onChange={(event) => {
                      // Read now: until the request is sent, the list shows the old plan again.
                      const chosen = planOf(event.target.value)
                      act.mutate({
                        run: async () => await api.updateWorkspace(id, { plan: chosen }),
                        says: 'The plan was changed.',
                      })
                    }}
                  >
                    {PLANS.map(([one, word]) => (
                      <option key={one} value={one}>
                        {word}
                      </option>
                    ))}
                  </select>
                ),
              },
              { name: 'Members', isNumber: true, of: (one) => count(one.member_count) },
              { name: 'Knowledge bases', isNumber: true, of: (one) => count(one.knowledge_base_count) },
              { name: 'Created', of: (one) => <Time at={one.created_at} /> },
              {
                name: 'Actions',
                of: (one) =>
                  one.suspended_at === null ? (
                    <Button
                      look="quiet"
                      aria-label={`Suspend ${one.name}`}
                      onClick={() => setSuspending(one)}
                    >
                      Suspend
                    </Button>
                  ) : (
                    <Button
                      look="quiet"
                      aria-label={`Resume ${one.name}`}
                      onClick={() =>
                        act.mutate({
                          run: async () => await api.resumeWorkspace(one.id),
                          says: `“${one.name}” works again.`,
                        })
                      }
                    >
                      Resume
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title="New workspace">
        <NewWorkspace
          api={api}
          onMade={(one) => {
            setMaking(false)
            setMade(one)
          }}
        />
      </Dialog>
      <Dialog
        isOpen={made !== undefined}
        onClose={() => setMade(undefined)}
        title={`Invitation for ${made?.invitation.email ?? ''}`}
        isShownOnce
      >
        <p>
          Give this link to the owner of “{made?.name}”. It works once, for a week, and is shown only once.
        </p>
        <CopyField label="Invitation" text={made?.invitation.url ?? ''} />
      </Dialog>
      <SuspendDialog
        workspace={suspending}
        onClose={() => setSuspending(undefined)}
        onSuspend={(id) =>
          act.mutate({
            run: async () => await api.suspendWorkspace(id),
            says: 'The workspace is suspended.',
          })
        }
      />
    </Card>
  )
}
