/** A question derived from a title or heading, before it is known whether it can be answered. */
export interface QuestionDraft {
  text: string
  /** 0 to 1: how natural it sounds as a question of a reader. */
  quality: number
}
