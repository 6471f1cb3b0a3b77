import type { RunningCitewell } from '../run-citewell.ts'

/** What the team sees of support forms. */
export interface Figures {
  answered: number
  deflected: number
  submitted: number
}

/** The figures of a knowledge base, and how they change. */
export function watchFigures(citewell: Pick<RunningCitewell, 'json'>, knowledgeBaseId: string) {
  let noted: Figures = { answered: 0, deflected: 0, submitted: 0 }

  async function read(): Promise<Figures> {
    const path = `/api/v1/knowledge-bases/${knowledgeBaseId}/analytics`
    return (await citewell.json<{ deflection: Figures }>('GET', path)).deflection
  }

  return {
    note: async (): Promise<void> => {
      noted = await read()
    },
    /** Since `note`. */
    change: async (): Promise<Figures> => {
      const now = await read()
      return {
        answered: now.answered - noted.answered,
        deflected: now.deflected - noted.deflected,
        submitted: now.submitted - noted.submitted,
      }
    },
  }
}
