import type { KnowledgeBase } from '@citewell/sdk/management'
import { useBaseGrants, useGrant } from '../../api/grants.ts'
import { useMembers } from '../../api/members.ts'
import { GrantedSelect } from '../../ui/granted-select.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'

/** What single members may do with a base. */
export function Grants({ base }: { base: KnowledgeBase }) {
  const members = useMembers(base.workspace_id)
  const grants = useBaseGrants(base.id)
  const grant = useGrant()
  const isFixed = base.status === 'archived' || !base.your_permissions.includes('edit-config')
  return (
    <Card title="Individual members">
      <p>
        Config: everything about this knowledge base but archiving, restoring, deleting, its type and the
        switch above. Chat: asking it while the switch is off.
      </p>
      <Loaded query={members}>
        {(people) => (
          <Loaded query={grants}>
            {(granted) => (
              <Table
                label="Permissions of individual members"
                rows={people.filter(({ status }) => status === 'active')}
                keyOf={({ user_id: id }) => id}
                columns={[
                  { name: 'Name', of: ({ name, email }) => name || email },
                  { name: 'E-mail', of: ({ email }) => email },
                  {
                    name: 'Permissions',
                    of: ({ user_id: userId, name, email, role }) =>
                      role === 'member' ? (
                        <GrantedSelect
                          label={`What ${name || email} may do`}
                          granted={granted.find((one) => one.user_id === userId)?.permissions ?? []}
                          isDisabled={isFixed || grant.isPending}
                          onChoose={(permissions) => grant.mutate({ baseId: base.id, userId, permissions })}
                        />
                      ) : (
                        `Everything, as ${role}`
                      ),
                  },
                ]}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Card>
  )
}
