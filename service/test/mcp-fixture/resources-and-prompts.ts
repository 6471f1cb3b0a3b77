import {
  acceptedContent,
  inputRequired,
  ResourceTemplate,
  type McpServer,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { PIXEL_PNG } from './content-tools.ts'

const said = (words: string) => ({ role: 'user', content: { type: 'text', text: words } }) as const

function addResources(server: McpServer): void {
  for (const name of ['static-text', 'watched-resource']) {
    const uri = `test://${name}`
    server.registerResource(name, uri, { mimeType: 'text/plain' }, () => ({
      contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }))
  }
  const binary = 'test://static-binary'
  server.registerResource('static-binary', binary, { mimeType: 'image/png' }, () => ({
    contents: [{ uri: binary, mimeType: 'image/png', blob: PIXEL_PNG }],
  }))
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  )
}

function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Says one thing' }, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Repeats', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' },
          },
        },
        said('Please read the resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Shows' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' } },
      said('Please look at the image above.'),
    ],
  }))
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context')
    if (given !== undefined) return { messages: [said(JSON.stringify(given))] }
    const requestedSchema = z.object({ context: z.string() })
    const ask = inputRequired.elicit({ message: 'What context should the prompt use?', requestedSchema })
    return inputRequired({ inputRequests: { user_context: ask } })
  })
}

/** Features that a knowledge base does not have, by the names that the conformance suite calls. */
export function addResourcesAndPrompts(server: McpServer): void {
  addResources(server)
  addPrompts(server)
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
  server.server.setRequestHandler('logging/setLevel', () => ({}))
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) {
    server.server.setRequestHandler(method, () => ({}))
  }
}
