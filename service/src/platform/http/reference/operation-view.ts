import { html } from 'hono/html'
import { exampleFrames, exampleOf, resolve } from '../openapi/examples.ts'
import type { JsonSchema } from '../openapi/json-schemas.ts'
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from '../openapi/openapi-document.ts'
import { framesView, jsonView, shellView } from './code-view.ts'
import { describeType } from './describe-field.ts'
import { inline, pathMarkup, prose, type Markup } from './prose.ts'
import { fieldView, schemaView, type Components } from './schema-view.ts'

export interface ListedOperation {
  method: string
  path: string
  operation: OpenApiOperation
}

/** Every operation, in the order of the document. */
export const operationsOf = ({ paths }: OpenApiDocument): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

const PERMISSIONS: Record<string, string> = {
  member: 'for every member',
  chat: 'permission Chat',
  config: 'permission Config',
  'edit-config': 'permission Edit Config',
  administer: 'for owners and admins',
  operate: 'for operators of the instance',
}

function callerView({ security, 'x-permission': permission }: OpenApiOperation): Markup {
  const [first] = security
  if (first === undefined) return html`<p class="caller">No authentication</p>`
  if (first['platformSignature'] !== undefined) return html`<p class="caller">Signature of the platform</p>`
  if (first['accessToken'] === undefined)
    return html`<p class="caller"><a href="#authentication">Client key</a></p>`
  return html`<p class="caller">
    <a href="#authentication">Access token</a>, scope <code>${first['accessToken'].join(', ')}</code>,
    ${PERMISSIONS[permission ?? ''] ?? permission}
  </p>`
}

function parametersView(
  title: string,
  parameters: readonly OpenApiParameter[],
  components: Components,
): Markup | '' {
  if (parameters.length === 0) return ''
  return html`<h4>${title}</h4>
    <dl class="fields">
      ${parameters.map(({ name, in: place, required, description, schema }) => {
        const described = { ...schema, ...(description !== undefined && { description }) }
        const marker = required && place === 'query' ? 'required' : undefined
        return fieldView(name, described, marker, { components, refersToNamed: false })
      })}
    </dl>`
}

/** For a list, the type of its items; otherwise the type itself. */
function describeResponse(schema: JsonSchema, components: Components): Markup {
  const { properties } = resolve(schema, components)
  const items = properties?.['next_cursor'] === undefined ? undefined : properties['data']?.items
  return items === undefined
    ? describeType(schema)
    : html`A <a href="#lists">page</a> of ${describeType(items)}`
}

function responseView(
  status: string,
  { description, content }: OpenApiResponse,
  components: Components,
): Markup {
  const [media] = Object.entries(content ?? {})
  const schema = media?.[1].schema
  const text = description === 'Done.' ? '' : inline(description)
  return html`<h4>Response</h4>
    <p>
      <span class="status">${status}</span>
      ${schema === undefined || media?.[0].startsWith('text/plain') === true ? '' : describeResponse(schema, components)}
      ${text}
    </p>
    ${
      media?.[0] === 'text/event-stream' && schema !== undefined
        ? schemaView(schema, { components, refersToNamed: true })
        : ''
    }`
}

function errorsView(responses: OpenApiOperation['responses']): Markup {
  const refused = Object.entries(responses).flatMap(([status, response]) =>
    response['x-codes'] === undefined ? [] : [{ status, codes: response['x-codes'] }],
  )
  return html`<details class="errors">
    <summary>Errors <span class="quiet">${refused.map(({ status }) => status).join(' ')}</span></summary>
    <dl>
      ${refused.map(
        ({ status, codes }) =>
          html`<dt class="status">${status}</dt>
            <dd>${codes.map((code) => html`<a href="#${code}"><code>${code}</code></a> `)}</dd>`,
      )}
    </dl>
  </details>`
}

function responseExample(status: string, { content }: OpenApiResponse, components: Components): Markup | '' {
  const json = content?.['application/json']?.schema
  if (json !== undefined) return jsonView(`Response ${status}`, exampleOf(json, components, false))
  const frames = content?.['text/event-stream']?.schema
  return frames === undefined ? '' : framesView('Frames', exampleFrames(frames, components))
}

export function operationView({ method, path, operation }: ListedOperation, components: Components): Markup {
  const { parameters = [], requestBody, responses } = operation
  const [answered] = Object.entries(responses)
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const [status, response] = answered ?? ['', { description: '' }]
  return html`<section class="operation" id="${operation.operationId}">
    <div class="words">
      <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
      <p class="address"><span class="method ${method}">${method}</span> <code>${pathMarkup(path)}</code></p>
      ${prose(operation.description)} ${callerView(operation)}
      ${parametersView(
        'Path',
        parameters.filter((parameter) => parameter.in === 'path'),
        components,
      )}
      ${parametersView(
        'Query',
        parameters.filter((parameter) => parameter.in === 'query'),
        components,
      )}
      ${
        body === undefined
          ? ''
          : html`<h4>
                Body${requestBody?.required === true ? '' : html` <span class="quiet">optional</span>`}
              </h4>
              ${schemaView(body, { components, refersToNamed: false })}`
      }
      ${responseView(status, response, components)} ${errorsView(responses)}
    </div>
    <div class="examples">
      ${operation['x-codeSamples'].map(({ label, source }) => shellView(label, source))}
      ${responseExample(status, response, components)}
    </div>
  </section>`
}
