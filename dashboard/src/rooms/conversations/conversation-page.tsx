import type { Message } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Outcome } from '../../ui/outcome.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { surfaceName, wordsOfCode } from '../../ui/names.ts'
import { Status } from '../../ui/status.tsx'
import { count, counted, Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import classes from './conversation-page.module.css'

function MessageView({ baseId, message }: { baseId: string; message: Message }) {
  const {
    query,
    answer,
    citations,
    covered,
    confidence,
    rating,
    stopped_by: stoppedBy,
    first_ms: ms,
  } = message
  return (
    <Card>
      <h2 dir="auto" className={classes['question']}>
        {query}
      </h2>
      {answer === null ? (
        <p>
          {message.withheld
            ? 'The answer is based on restricted pages. To read it you need the permission Chat.'
            : 'There is no answer.'}
        </p>
      ) : (
        <AnswerText text={answer} citations={citations} />
      )}
      <p>
        {stoppedBy !== null ? (
          <Status tone="quiet">{stoppedBy === 'cancelled' ? 'Stopped by the reader' : 'Failed'}</Status>
        ) : (
          <Outcome covered={covered} confidence={confidence} />
        )}
        {ms !== null && ` · first words after ${count(Math.round(ms))} ms`}
        {stoppedBy !== null && stoppedBy !== 'cancelled' && ` · ${wordsOfCode(stoppedBy)}`}
        {rating !== null && ` · rated ${rating.vote}${rating.comment ? `: “${rating.comment}”` : ''}`}
      </p>
      <p>
        <Link to="/kb/$baseId/traces/$messageId" params={{ baseId, messageId: message.id }}>
          Trace
        </Link>
      </p>
      {citations.length > 0 && (
        <details>
          <summary>{counted(citations.length, 'source')}</summary>
          {citations.map((citation) => (
            <CitationView key={citation.index} citation={citation} />
          ))}
        </details>
      )}
    </Card>
  )
}

/** One conversation. */
export function ConversationPage() {
  const { baseId, conversationId } = useParams({ from: '/kb/$baseId/conversations/$conversationId' })
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { tell, tellFault } = useToasts()
  const [isLeaving, setLeaving] = useState(false)
  const base = useKnowledgeBase(baseId)
  const conversation = useQuery({
    queryKey: ['conversation', conversationId],
    queryFn: ({ signal }) => api.getConversation(conversationId, { signal }),
    enabled: base.data?.your_permissions.includes('config') === true,
  })
  const remove = useMutation({
    mutationFn: () => api.deleteConversation(conversationId),
    onSuccess: async () => {
      tell('The conversation was deleted.')
      await client.invalidateQueries({ queryKey: ['conversations', baseId] })
      await navigate({ to: '/kb/$baseId/conversations', params: { baseId } })
    },
    onError: tellFault,
  })
  return (
    <Page
      title="Conversation"
      lead={
        <Link to="/kb/$baseId/conversations" params={{ baseId }}>
          All conversations
        </Link>
      }
      actions={
        conversation.data !== undefined && (
          <Button look="danger" onClick={() => setLeaving(true)}>
            Delete the conversation
          </Button>
        )
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <Loaded query={conversation}>
          {({ surface, user, created_at: at, messages }) => (
            <>
              <p className={classes['facts']}>
                Asked <Time at={at} /> · {surfaceName(surface)}
                {user !== null && surface !== 'team' && ` · ${user}`}
              </p>
              {messages.map((message) => (
                <MessageView key={message.id} baseId={baseId} message={message} />
              ))}
            </>
          )}
        </Loaded>
      </NeedsPermission>
      <Dialog isOpen={isLeaving} onClose={() => setLeaving(false)} title="Delete this conversation">
        <p>Its questions, answers, traces and ratings are deleted. This cannot be undone.</p>
        <p>
          <Button look="danger" onClick={() => remove.mutate()} disabled={remove.isPending}>
            Delete the conversation
          </Button>
        </p>
      </Dialog>
    </Page>
  )
}
