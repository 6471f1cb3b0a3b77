import { ENDPOINTS } from '@citewell/contract/endpoints'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { CustomAnswers } from './custom-answers.ts'
import { presentCustomAnswer } from './present-custom-answer.ts'

export const customAnswerRoutes = (answers: CustomAnswers) =>
  recordRoutes(
    {
      list: ENDPOINTS.listCustomAnswers,
      create: ENDPOINTS.createCustomAnswer,
      change: ENDPOINTS.updateCustomAnswer,
      remove: ENDPOINTS.deleteCustomAnswer,
    },
    answers,
    presentCustomAnswer,
  )
