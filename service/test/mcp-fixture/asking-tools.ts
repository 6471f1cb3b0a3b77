import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const done = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })

/** A form with one field. */
const form = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: z.object({ [field]: field === 'ok' ? z.boolean() : z.string() }),
  })

const sampling = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens: 100,
  })

type Ask = (context: ServerContext) => Promise<CallToolResult | InputRequiredResult>

/**
 * Tools that ask the client a question before they answer, by the names that the conformance suite calls. The client keeps their state,
 * signed.
 */
export function addAskingTools(server: McpServer, state: RequestStateCodec): void {
  /** Asks once, and finishes when every question is answered. */
  const askOnce =
    (inputRequests: InputRequests, remembers?: string): Ask =>
    async (context) => {
      const given = context.mcpReq.inputResponses
      const isAnswered = Object.keys(inputRequests).every(
        (key) => inputResponse(given, key).kind !== 'missing',
      )
      if (isAnswered) return done(remembers === undefined ? 'Answered.' : `${remembers}: answered.`)
      if (remembers === undefined) return inputRequired({ inputRequests })
      return inputRequired({ inputRequests, requestState: await state.mint(remembers, context) })
    }

  const askTwice: Ask = async (context) => {
    const given = context.mcpReq.inputResponses
    if (acceptedContent(given, 'step2') !== undefined) return done('Both steps are done.')
    const step = acceptedContent(given, 'step1') === undefined ? 'step1' : 'step2'
    const inputRequests = { [step]: form(`What about ${step}?`, step === 'step1' ? 'name' : 'color') }
    return inputRequired({ inputRequests, requestState: await state.mint(step, context) })
  }

  /** Asks only questions that the client can answer, by its capabilities. */
  const askWhatItCan: Ask = (context) => {
    const envelope: Record<string, unknown> = { ...context.mcpReq.envelope }
    const can = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities
    const inputRequests: InputRequests = {
      ...(can.sampling !== undefined && { question: sampling('Say hello') }),
      ...(can.elicitation !== undefined && { question: form('Say hello', 'hello') }),
    }
    return Promise.resolve(inputRequired({ inputRequests }))
  }

  const asking: Record<string, Ask> = {
    elicitation: askOnce({ user_name: form('What is your name?', 'name') }),
    sampling: askOnce({ capital_question: sampling('What is the capital of France?') }),
    list_roots: askOnce({ client_roots: inputRequired.listRoots() }),
    request_state: askOnce({ confirm: form('Please confirm', 'ok') }, 'state-ok'),
    tampered_state: askOnce({ confirm: form('Please confirm', 'ok') }, 'state-ok'),
    multiple_inputs: askOnce(
      {
        user_name: form('What is your name?', 'name'),
        greeting: sampling('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      'state-ok',
    ),
    multi_round: askTwice,
    capabilities: askWhatItCan,
  }
  const named = Object.entries(asking).map(
    ([name, ask]) => [`test_input_required_result_${name}`, ask] as const,
  )
  for (const [name, ask] of [
    ...named,
    ['test_missing_capability', askOnce({ question: sampling('Say hello') })] as const,
    ['test_streaming_elicitation', askOnce({ user_name: form('What is your name?', 'name') })] as const,
  ]) {
    server.registerTool(
      name,
      { description: `Asks for ${name}`, inputSchema: z.object({}) },
      async (_input, context) => await ask(context),
    )
  }
}
