import type { SURFACES } from '@citewell/contract/closed-lists'
import type { KnowledgeBase } from '@citewell/sdk/management'

type Surface = (typeof SURFACES)[number]

/** A way to look at all knowledge bases: which of them, and the questions of which surfaces. */
export interface Preset {
  /** In the address. */
  show: string
  name: string
  type?: KnowledgeBase['type']
  /** Undefined: all. */
  surfaces?: readonly Surface[]
}

const ALL: Preset = { show: '', name: 'All knowledge bases' }

export const PRESETS: readonly Preset[] = [
  ALL,
  { show: 'external', name: 'For everyone', type: 'external' },
  { show: 'internal', name: 'For members only', type: 'internal' },
  {
    show: 'support',
    name: 'Support: forms, help desks and bots',
    surfaces: ['form_deflector', 'helpdesk', 'bot'],
  },
  { show: 'agents', name: 'Agents: AI tools and programs', surfaces: ['mcp', 'openai', 'api'] },
]

export const presetOf = (show: string | undefined): Preset => PRESETS.find((one) => one.show === show) ?? ALL

export interface UsedBase {
  knowledge_base_id: string
  questions: number
  surfaces: readonly { surface: Surface; questions: number }[]
}

/** Questions of each base this month that a preset counts. */
export function questionsOf({ surfaces }: Preset, usage: readonly UsedBase[]): Map<string, number> {
  return new Map(
    usage.map((base) => [
      base.knowledge_base_id,
      surfaces === undefined
        ? base.questions
        : base.surfaces
            .filter(({ surface }) => surfaces.includes(surface))
            .reduce((sum, { questions }) => sum + questions, 0),
    ]),
  )
}
