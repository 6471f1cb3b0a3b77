import type { PurgeConversations, Workspace } from '@citewell/sdk/management'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useKnowledgeBases } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCurl } from '../../ui/copy-curl.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { counted } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** Deletes conversations for good: of one reader or of all, in one base or in all. */
export function Purge({ workspace, blocked }: { workspace: Workspace; blocked: string | undefined }) {
  const api = useApi()
  const client = useQueryClient()
  const { tell } = useToasts()
  const bases = useKnowledgeBases(workspace.id)
  const [isOpen, setOpen] = useState(false)
  const [base, setBase] = useState('')
  const [user, setUser] = useState('')
  const [typed, setTyped] = useState('')
  const reader = user.trim()
  const request: PurgeConversations = {
    ...(base !== '' && { knowledge_base_id: base }),
    ...(reader === '' ? { everything: true as const } : { user: reader }),
  }
  const purge = useMutation({
    mutationFn: () => api.purgeConversations(workspace.id, request),
    onSuccess: async ({ conversations }) => {
      setOpen(false)
      setTyped('')
      tell(`${counted(conversations, 'conversation was', 'conversations were')} deleted.`)
      await client.invalidateQueries()
    },
  })
  const where = bases.data?.find(({ id }) => id === base)?.name
  const what = `${reader === '' ? 'every conversation' : `the conversations of “${reader}”`} in ${where === undefined ? 'all knowledge bases' : `“${where}”`}`
  return (
    <Card title="Purge conversations">
      <p>
        Deletes conversations for good, with their traces, ratings and reports of AI tools. It cannot be
        undone.
      </p>
      <p>
        <Button look="danger" blocked={blocked} onClick={() => setOpen(true)}>
          Purge conversations
        </Button>
      </p>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Purge conversations">
        <Select
          label="Knowledge base"
          value={base}
          onChange={(event) => setBase(event.target.value)}
          options={[['', 'All'], ...(bases.data ?? []).map(({ id, name }) => [id, name] as const)]}
        />
        <TextInput
          label="Reader"
          value={user}
          maxLength={500}
          onChange={(event) => setUser(event.target.value)}
          hint="The id or e-mail address that was sent with the questions. Leave empty for all readers: approvals and simulations are then deleted too."
        />
        <TextInput
          label={`Type “${workspace.name}” to delete ${what}`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {purge.isError && <Fault error={purge.error} />}
        <Button
          look="danger"
          disabled={purge.isPending}
          blocked={typed === workspace.name ? undefined : 'Type the exact name of the workspace first.'}
          onClick={() => purge.mutate()}
        >
          Delete {what}
        </Button>{' '}
        <CopyCurl
          requestOf={() => ({
            method: 'POST',
            path: `/api/v1/workspaces/${workspace.id}/purge`,
            body: request,
          })}
        />
      </Dialog>
    </Card>
  )
}
