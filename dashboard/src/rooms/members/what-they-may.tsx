import type { WorkspaceMember } from '@citewell/sdk/management'
import { useGrant, useWorkspaceGrants } from '../../api/grants.ts'
import { useKnowledgeBases } from '../../api/knowledge-bases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { GrantedSelect } from '../../ui/granted-select.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Table } from '../../ui/table.tsx'

/** What one member may do with each base of the workspace. */
export function WhatTheyMay({
  workspaceId,
  member,
  onClose,
}: {
  workspaceId: string
  member: WorkspaceMember | undefined
  onClose: () => void
}) {
  const bases = useKnowledgeBases(workspaceId)
  const grants = useWorkspaceGrants(workspaceId, member !== undefined)
  const grant = useGrant()
  const name = member?.name || member?.email || ''
  return (
    <Dialog isOpen={member !== undefined} onClose={onClose} title={`What ${name} may do`}>
      <p>
        Every member asks the knowledge bases whose switch “Workspace members” is on. Beyond that, permissions
        are given for each.
      </p>
      <Loaded query={bases}>
        {(list) => (
          <Loaded query={grants}>
            {(granted) => (
              <Table
                label={`Permissions of ${name}`}
                rows={list}
                keyOf={({ id }) => id}
                columns={[
                  { name: 'Knowledge base', of: (base) => base.name },
                  {
                    name: 'Every member',
                    of: (base) => (base.workspace_members_can_chat ? 'may ask it' : 'does not see it'),
                  },
                  {
                    name: 'This person',
                    of: (base) => (
                      <GrantedSelect
                        label={`What ${name} may do with ${base.name}`}
                        granted={
                          granted.find(
                            (one) => one.knowledge_base_id === base.id && one.user_id === member?.user_id,
                          )?.permissions ?? []
                        }
                        isDisabled={base.status === 'archived' || grant.isPending}
                        onChoose={(permissions) =>
                          member !== undefined &&
                          grant.mutate({ baseId: base.id, userId: member.user_id, permissions })
                        }
                      />
                    ),
                  },
                ]}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  )
}
