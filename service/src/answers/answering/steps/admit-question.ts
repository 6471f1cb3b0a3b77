import type { Question } from '../question.ts'

/** A question that was let in, and counts against the allowance of its workspace. */
export interface Admission {
  /** Gives the counted question back: nothing was answered, and not by the reader's doing. */
  giveBack: () => Promise<void>
}

export interface AdmitDeps {
  /** Throws a `Refusal` when the knowledge base is archived, is not open to this asker, or its allowance is used up. */
  admit: (question: Question) => Promise<Admission>
}

/** Lets a question in, or throws the `Refusal` that says why not. Nothing has been answered then. */
export async function admitQuestion(
  question: Question,
  { admit }: AdmitDeps,
  signal: AbortSignal,
): Promise<Admission> {
  signal.throwIfAborted()
  return await admit(question)
}
