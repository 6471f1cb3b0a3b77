import type { AnswerFailureCode } from '@citewell/contract/refusals'

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ModelRequest {
  messages: ModelMessage[]
  maxOutputTokens: number
  /** Aborts the call; the connection to the provider is closed immediately. */
  signal: AbortSignal
}

/** A language model that streams text. Every error is thrown as a `ModelFailure`; an answer without text is one. */
export interface LanguageModel {
  /** Model name as configured, for traces. */
  readonly name: string
  write(request: ModelRequest): AsyncGenerator<string, void, void>
}

export class ModelFailure extends Error {
  readonly code: AnswerFailureCode

  constructor(code: AnswerFailureCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ModelFailure'
    this.code = code
  }
}
