/** A question that was written from a title or heading, before it is known whether it can be answered. */
export interface QuestionDraft {
  text: string
  /** 0 to 1: how much it reads like a question that a reader would ask. */
  quality: number
}
