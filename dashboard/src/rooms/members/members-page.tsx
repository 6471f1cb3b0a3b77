import type { InvitedMember, WorkspaceMember } from '@citewell/sdk/management'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useMembers } from '../../api/members.ts'
import { useApi, useSession } from '../../api/session.ts'
import { useOwnRole } from '../../api/workspaces.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { wordsOfCode } from '../../ui/names.ts'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useWhoCan } from '../../ui/who-can.ts'
import { WorkspaceTabs } from '../../ui/workspace-tabs.tsx'
import { WhatTheyMay } from './what-they-may.tsx'

const ROLES = [
  ['member', 'Member: creates knowledge bases, and asks those that are open to members'],
  ['admin', 'Admin: does everything in the workspace'],
  ['owner', 'Owner: also adds and removes owners'],
] as const
const roleOf = (value: unknown) => ROLES.find(([role]) => role === value)?.[0] ?? 'member'

type Role = WorkspaceMember['role']

const OWNERS_ONLY = 'Only owners may add, change and remove owners.'

/** The roles that a person of this role may give. */
const rolesGivenBy = (own: Role | undefined) => ROLES.filter(([role]) => role !== 'owner' || own === 'owner')

function InviteForm({
  workspaceId,
  ownRole,
  onInvited,
}: {
  workspaceId: string
  ownRole: Role | undefined
  onInvited: (invited: InvitedMember) => void
}) {
  const api = useApi()
  const client = useQueryClient()
  const invite = useMutation({
    mutationFn: (form: FormData) =>
      api.inviteMember(workspaceId, { email: textOf(form, 'email'), role: roleOf(form.get('role')) }),
    onSuccess: async (invited) => {
      onInvited(invited)
      await client.invalidateQueries({ queryKey: ['members', workspaceId] })
    },
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    invite.mutate(new FormData(event.currentTarget))
  }
  return (
    <Form hasFailed={invite.isError} onSubmit={submit}>
      <TextInput label="E-mail address" name="email" type="email" required />
      <Select label="Role" name="role" options={rolesGivenBy(ownRole)} />
      {invite.isError && <Fault error={invite.error} />}
      <Button look="primary" type="submit" disabled={invite.isPending}>
        Create invitation
      </Button>
    </Form>
  )
}

/** The role of a member, to choose, for those who may change it. */
function RoleOf({
  member,
  ownRole,
  isDisabled,
  onChange,
}: {
  member: WorkspaceMember
  ownRole: Role | undefined
  isDisabled: boolean
  onChange: (role: Role) => void
}) {
  const roles = rolesGivenBy(ownRole)
  if (ownRole === 'member' || !roles.some(([role]) => role === member.role))
    return <span title={member.role === 'owner' ? OWNERS_ONLY : undefined}>{wordsOfCode(member.role)}</span>
  return (
    <select
      aria-label={`Role of ${member.name || member.email}`}
      value={member.role}
      disabled={isDisabled}
      onChange={(event) => onChange(roleOf(event.target.value))}
    >
      {roles.map(([role]) => (
        <option key={role} value={role}>
          {wordsOfCode(role)}
        </option>
      ))}
    </select>
  )
}

/** Who is in the workspace, and who is invited. */
export function MembersPage() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId/members' })
  const { api, me, readAgain } = useSession()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<InvitedMember>()
  const [leaving, setLeaving] = useState<WorkspaceMember>()
  const [changing, setChanging] = useState<WorkspaceMember>()
  /** The role that the person is about to give to themselves. */
  const [ownNext, setOwnNext] = useState<Role>()
  const whoCan = useWhoCan()
  const ownRole = useOwnRole(workspaceId)
  const blocked =
    ownRole === 'owner' || ownRole === 'admin'
      ? undefined
      : `Only owners and admins of the workspace may do this. ${whoCan}`
  const members = useMembers(workspaceId)
  const changeRole = useMutation({
    mutationFn: (of: { userId: string; role: WorkspaceMember['role'] }) =>
      api.updateMember(workspaceId, of.userId, { role: of.role }),
    onSuccess: async (_, { userId }) => {
      tell('The role was changed. It applies from the next request.')
      await Promise.all([
        client.invalidateQueries({ queryKey: ['members', workspaceId] }),
        userId === me.user.id && readAgain(),
      ])
    },
    onError: tellFault,
  })
  const remove = useMutation({
    mutationFn: (userId: string) => api.removeMember(workspaceId, userId),
    onSuccess: async () => {
      tell('The person is no longer a member.')
      await client.invalidateQueries({ queryKey: ['members', workspaceId] })
    },
    onError: tellFault,
  })
  return (
    <Page
      title="Members"
      actions={
        <Button look="primary" blocked={blocked} onClick={() => setInviting(true)}>
          Invite a person
        </Button>
      }
    >
      <WorkspaceTabs workspaceId={workspaceId} />
      <Loaded query={members}>
        {(list) => (
          <Table
            label="Members"
            rows={list}
            keyOf={(member) => member.user_id}
            columns={[
              { name: 'Name', of: ({ name, email }) => name || email },
              { name: 'E-mail', of: ({ email }) => email },
              {
                name: 'Role',
                of: (member) => (
                  <RoleOf
                    member={member}
                    ownRole={ownRole}
                    isDisabled={changeRole.isPending}
                    onChange={(role) =>
                      member.user_id === me.user.id
                        ? setOwnNext(role)
                        : changeRole.mutate({ userId: member.user_id, role })
                    }
                  />
                ),
              },
              {
                name: 'Permissions',
                of: (member) =>
                  member.role === 'member' && member.status === 'active' ? (
                    <Button
                      look="quiet"
                      blocked={blocked}
                      aria-label={`What ${member.name || member.email} may do`}
                      onClick={() => setChanging(member)}
                    >
                      By knowledge base
                    </Button>
                  ) : member.role === 'member' ? (
                    'nothing yet'
                  ) : (
                    'everything'
                  ),
              },
              {
                name: 'State',
                of: ({ status }) =>
                  status === 'active' ? (
                    <Status tone="ok">Active</Status>
                  ) : (
                    <Status tone="info">Invited</Status>
                  ),
              },
              { name: 'Since', of: (member) => <Time at={member.created_at} /> },
              {
                name: 'Actions',
                of: (member) => (
                  <Button
                    look="quiet"
                    blocked={
                      blocked ?? (member.role === 'owner' && ownRole !== 'owner' ? OWNERS_ONLY : undefined)
                    }
                    aria-label={`Remove ${member.name || member.email}`}
                    onClick={() => setLeaving(member)}
                  >
                    Remove
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <WhatTheyMay workspaceId={workspaceId} member={changing} onClose={() => setChanging(undefined)} />
      <Dialog isOpen={isInviting} onClose={() => setInviting(false)} title="Invite a person">
        <InviteForm
          workspaceId={workspaceId}
          ownRole={ownRole}
          onInvited={(one) => {
            setInviting(false)
            setInvited(one)
          }}
        />
      </Dialog>
      <Dialog
        isOpen={invited !== undefined}
        onClose={() => setInvited(undefined)}
        title={`Invitation for ${invited?.email ?? ''}`}
        isShownOnce
      >
        <p>Give the person this link. It works once, for a week, and is shown only once.</p>
        <CopyField label="Invitation" text={invited?.invitation.url ?? ''} />
      </Dialog>
      <Dialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Remove ${leaving?.name || leaving?.email || ''}`}
      >
        <p>
          {leaving?.user_id === me.user.id
            ? 'This is you. You no longer reach this workspace, and somebody else has to invite you again.'
            : 'Their access tokens, sessions and connected tools stop reaching this workspace at once.'}
        </p>
        <p>
          <Button
            look="danger"
            onClick={() => {
              if (leaving !== undefined) remove.mutate(leaving.user_id)
              setLeaving(undefined)
            }}
          >
            Remove the person
          </Button>
        </p>
      </Dialog>
      <ConfirmDialog
        isOpen={ownNext !== undefined}
        onClose={() => setOwnNext(undefined)}
        title="Change your own role"
        action={`Become ${ownNext ?? ''}`}
        onConfirm={() => {
          if (ownNext !== undefined) changeRole.mutate({ userId: me.user.id, role: ownNext })
        }}
      >
        <p>You cannot change it back yourself: somebody else with the role that you have now has to.</p>
      </ConfirmDialog>
    </Page>
  )
}
