import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Thumb } from '../../ui/thumb.tsx'
import { useToasts } from '../../ui/toast.tsx'

type Vote = 'up' | 'down'

/** Two buttons: pressing one rates the answer, pressing it again takes the rating back. */
export function RateAnswer({ messageId, before }: { messageId: string; before: Vote | undefined }) {
  const api = useApi()
  const { tellFault } = useToasts()
  const [vote, setVote] = useState(before)
  const rate = useMutation({
    mutationFn: async (next: Vote | undefined): Promise<void> => {
      if (next === undefined) await api.withdrawRating(messageId)
      else await api.rateMessage(messageId, { vote: next })
    },
  })
  function press(pressed: Vote): void {
    const [next, known] = [vote === pressed ? undefined : pressed, vote]
    setVote(next)
    rate.mutate(next, {
      onError: (error) => {
        setVote(known)
        tellFault(error)
      },
    })
  }
  return (
    <span role="group" aria-label="Was this answer helpful?">
      <Button look="quiet" aria-pressed={vote === 'up'} onClick={() => press('up')}>
        <Thumb isDown={false} isPressed={vote === 'up'} /> Helpful
      </Button>
      <Button look="quiet" aria-pressed={vote === 'down'} onClick={() => press('down')}>
        <Thumb isDown isPressed={vote === 'down'} /> Not helpful
      </Button>
    </span>
  )
}
