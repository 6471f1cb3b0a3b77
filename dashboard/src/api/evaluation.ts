import type { NewEvaluationQuestion } from '@citewell/sdk/management'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from './session.ts'

/** Adds a question to the evaluation set. */
export function useAddQuestion(baseId: string) {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (question: NewEvaluationQuestion) => api.createEvaluationQuestion(baseId, question),
    onSuccess: () => client.invalidateQueries({ queryKey: ['evaluation-questions', baseId] }),
  })
}
