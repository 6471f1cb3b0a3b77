import type { SurfaceName } from '@citewell/contract/surfaces'

/** How answers of a knowledge base, or of one of its widgets, are to sound. Written by its owner. */
export interface Voice {
  persona: string | undefined
  tone: string | undefined
  standingInstructions: string | undefined
}

/** A question as a surface hands it in: checked, with the scope that its asker may see. */
export interface Question {
  knowledgeBaseId: string
  knowledgeBaseName: string
  /** 1 to 4,000 characters. */
  query: string
  /** The conversation that this goes on with. */
  threadId: string | undefined
  /** Earlier turns as the client tells them, oldest first, where it keeps the conversation itself. */
  earlier?: readonly EarlierTurn[]
  /** Only sources of these groups; undefined for all of them. */
  groupIds: string[] | undefined
  /** Only these sources, as long as they are in those groups; undefined for all of them. */
  sourceIds?: string[] | undefined
  /** Also restricted documents: never on a public surface. */
  includeRestricted: boolean
  /** Passages to retrieve, 1 to 100. */
  topK: number
  voice: Voice
  asker: { surface: SurfaceName; clientKeyId: string | undefined; userRef: string | undefined }
}

/** A question and its answer from earlier in the conversation, oldest first in lists. */
export interface EarlierTurn {
  query: string
  answer: string
  citedTitles: string[]
  /** Documents whose words may stand in the answer; none where the client tells the turn itself. */
  drewOn?: readonly string[]
}
