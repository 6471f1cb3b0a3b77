import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import classes from './ask-page.module.css'

/** Questions to begin with, as readers are offered them. */
export function StarterQuestions({ baseId, onAsk }: { baseId: string; onAsk: (query: string) => void }) {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['suggested', baseId],
    queryFn: ({ signal }) => api.suggestQuestionsToMember(baseId, { signal }),
  })
  if (data === undefined || data.questions.length === 0) return null
  return (
    <ul className={classes['suggested']} aria-label="Suggested questions">
      {data.questions.map((question) => (
        <li key={question}>
          <Button onClick={() => onAsk(question)}>{question}</Button>
        </li>
      ))}
    </ul>
  )
}
