import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useCurrentWorkspace } from '../../api/current-workspace.ts'
import { useKnowledgeBases } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import classes from './assistant-page.module.css'
import { BaseChoice } from './base-choice.tsx'
import { Conversation } from './conversation.tsx'
import { OwnHistory, useOwnHistory } from './own-history.tsx'

/** Deletes a conversation after a question, for good. */
function DeleteConversation({ threadId, onDeleted }: { threadId: string; onDeleted: () => void }) {
  const api = useApi()
  const { tell } = useToasts()
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation({
    mutationFn: () => api.deleteMyConversation(threadId),
    onSuccess: () => {
      setOpen(false)
      tell('The conversation was deleted.')
      onDeleted()
    },
  })
  return (
    <>
      <Button
        onClick={() => {
          remove.reset()
          setOpen(true)
        }}
      >
        Delete this conversation
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Delete this conversation">
        <p>Its questions, answers and ratings are deleted for good, and no longer count in the analytics.</p>
        {remove.isError && <Fault error={remove.error} />}
        <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Delete the conversation
        </Button>
      </Dialog>
    </>
  )
}

/** Which conversation is on the screen, and the one that it became when it was stored. */
interface Opened {
  threadId: string | undefined
  storedAs: string | undefined
  turn: number
}

/** Asks all knowledge bases of a workspace that the person may chat in. */
export function AssistantPage() {
  const { threadId } = useParams({ from: '/ask/{-$threadId}' })
  const workspace = useCurrentWorkspace()
  const workspaceId = workspace?.id ?? ''
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const bases = useKnowledgeBases(workspaceId)
  const askable = useMemo(
    () =>
      bases.data?.filter(
        ({ status, your_permissions: may }) => status === 'active' && may.includes('chat'),
      ) ?? [],
    [bases.data],
  )
  const inWorkspace = useMemo(() => new Set(bases.data?.map(({ id }) => id)), [bases.data])
  const history = useOwnHistory(inWorkspace)
  const [chosen, choose] = useState<string[]>([])
  const [opened, setOpened] = useState<Opened>({ threadId, storedAs: undefined, turn: 0 })
  const shown = opened.storedAs ?? opened.threadId
  // Only a change of the address counts: after `begin` and `onThread`, the address follows what is shown, renders later.
  const [address, setAddress] = useState(threadId)
  if (threadId !== address) {
    setAddress(threadId)
    if (threadId !== shown) setOpened({ threadId, storedAs: undefined, turn: opened.turn + 1 })
  }
  const stored = useQuery({
    queryKey: ['my-conversation', opened.threadId],
    queryFn: ({ signal }) => api.getMyConversation(opened.threadId ?? '', { signal }),
    enabled: opened.threadId !== undefined,
    gcTime: 0,
  })

  async function begin(): Promise<void> {
    setOpened({ threadId: undefined, storedAs: undefined, turn: opened.turn + 1 })
    await navigate({ to: '/ask/{-$threadId}', params: { threadId: undefined } })
  }
  async function onThread(made: string): Promise<void> {
    setOpened((known) => ({ ...known, storedAs: made }))
    await Promise.all([
      navigate({ to: '/ask/{-$threadId}', params: { threadId: made }, replace: true }),
      client.invalidateQueries({ queryKey: ['my-conversations'] }),
    ])
  }
  async function onDeleted(): Promise<void> {
    await Promise.all([begin(), client.invalidateQueries({ queryKey: ['my-conversations'] })])
  }

  return (
    <Page
      title="Ask"
      lead="One question to all knowledge bases that you may ask. Answers also use restricted documents. Questions count towards the monthly quota."
      actions={
        shown !== undefined && (
          <>
            <DeleteConversation threadId={shown} onDeleted={() => void onDeleted()} />
            <Button look="primary" onClick={() => void begin()}>
              New question
            </Button>
          </>
        )
      }
    >
      <Loaded query={bases}>
        {() =>
          askable.length === 0 ? (
            <Empty says="There is no active knowledge base in this workspace that you may ask. An owner or admin of the workspace can let you, or restore an archived one.">
              <Link to="/start">Set one up</Link>
            </Empty>
          ) : (
            <div className={classes['layout']}>
              <details className={classes['history']} open={globalThis.innerWidth > 900}>
                <summary>Your questions</summary>
                <OwnHistory history={history} shown={shown} />
              </details>
              <div className={classes['main']}>
                <BaseChoice bases={askable} chosen={chosen} onChange={choose} />
                {opened.threadId !== undefined && stored.data === undefined ? (
                  <Loaded query={stored}>{() => null}</Loaded>
                ) : (
                  <Conversation
                    key={opened.turn}
                    workspaceId={workspaceId}
                    bases={askable}
                    chosen={chosen}
                    stored={opened.threadId === undefined ? undefined : stored.data}
                    onThread={(made) => void onThread(made)}
                  />
                )}
              </div>
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}
