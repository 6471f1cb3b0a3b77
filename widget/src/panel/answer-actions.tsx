import { useEffect, useRef } from 'preact/hooks'
import { answerMarkdown } from './answer-markdown.ts'
import { CopyButton } from './copy-button.tsx'
import { Handoff } from './handoff.tsx'
import { IconButton } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import type { Turn } from './turn.ts'

/** Longest comment, as the service has it. */
const LONGEST_COMMENT = 2_000

/** The field for a comment, once an answer is rated. */
function CommentForm({ turn, rating }: { turn: Turn; rating: 'up' | 'down' }) {
  const { shared, conversation, announce } = useSurroundings()
  const { say } = useStore(shared)
  const { comment } = turn
  const form = useRef<HTMLFormElement>(null)
  // It comes below what was pressed, which may be the last thing in sight.
  useEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [])
  if (turn.commented) return <p class="comment-done">{say('commentSent')}</p>
  return (
    <form
      ref={form}
      class="comment"
      onSubmit={(event) => {
        event.preventDefault()
        if (comment.trim() === '') return
        void conversation
          .rate(turn, rating, comment.trim())
          .then((isSent) => announce(say(isSent ? 'commentSent' : 'notSent')))
      }}
    >
      <label>
        <span>{say(rating === 'up' ? 'rated' : 'ratedBad')}</span>
        <textarea
          rows={2}
          dir="auto"
          maxLength={LONGEST_COMMENT}
          value={comment}
          onInput={(event) => conversation.write(turn, event.currentTarget.value)}
        />
      </label>
      <div class="notice-actions">
        <button type="submit" class="button" disabled={comment.trim() === ''}>
          {say('sendComment')}
        </button>
        {rating === 'down' && <Handoff turn={turn} look="link" />}
      </div>
    </form>
  )
}

/** Copy, ask again, rate. */
export function AnswerActions({ turn }: { turn: Turn }) {
  const { shared, conversation, emit, announce, askAgain } = useSurroundings()
  const { say } = useStore(shared)
  const { rating, messageId } = turn
  const rate = (to: 'up' | 'down') => () =>
    void conversation.rate(turn, to).then((isSent) => isSent || announce(say('notSent')))
  return (
    <>
      <div class="actions">
        {turn.text !== '' && (
          <CopyButton
            text={() => answerMarkdown(turn)}
            label={say('copy')}
            onCopied={() => emit('copy', { message_id: messageId })}
          />
        )}
        <IconButton icon="again" label={say('askAgain')} onPress={() => askAgain(turn)} />
        {messageId !== undefined && (
          <>
            <span class="between" />
            <IconButton icon="good" label={say('good')} isPressed={rating === 'up'} onPress={rate('up')} />
            <IconButton icon="bad" label={say('bad')} isPressed={rating === 'down'} onPress={rate('down')} />
          </>
        )}
      </div>
      {turn.isUnsent && <p class="unsent">{say('notSent')}</p>}
      {rating && <CommentForm key={rating} turn={turn} rating={rating} />}
    </>
  )
}
