import { html } from 'hono/html'
import { nameOfRef, type JsonSchema } from '../openapi/json-schemas.ts'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { introduction, TOPICS } from './introduction.ts'
import { operationsOf, operationView, type ListedOperation } from './operation-view.ts'
import type { Markup } from './prose.ts'
import { schemaView, type Components } from './schema-view.ts'

const groupId = (group: string) => `group-${group.toLowerCase().replaceAll(' ', '-')}`

function navigation(groups: Map<string, ListedOperation[]>, records: readonly string[]): Markup {
  return html`<nav aria-label="Contents">
    <details class="contents">
      <summary>Contents</summary>
      <div class="contents-inner">
        <label class="filter" hidden>
          <span class="visually-hidden">Find an operation</span>
          <input type="search" placeholder="Find  /" autocomplete="off" spellcheck="false" />
        </label>
        <ul class="topics">
          ${TOPICS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
        </ul>
        ${[...groups].map(
          ([group, operations]) =>
            html`<div class="nav-group">
              <p><a href="#${groupId(group)}">${group}</a></p>
              <ul>
                ${operations.map(
                  ({ method, operation }) =>
                    html`<li>
                      <a href="#${operation.operationId}"
                        ><span class="method ${method}">${method === 'DELETE' ? 'DEL' : method}</span
                        ><span>${operation.summary}</span></a
                      >
                    </li>`,
                )}
              </ul>
            </div>`,
        )}
        <div class="nav-group">
          <p><a href="#records">Records</a></p>
          <ul>
            ${records.map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}
          </ul>
        </div>
      </div>
    </details>
  </nav>`
}

function collectRefs(value: unknown, into: Set<string>, components: Components): void {
  if (typeof value !== 'object' || value === null) return
  const { $ref } = value as JsonSchema
  if (typeof $ref === 'string') {
    const name = nameOfRef($ref)
    if (!into.has(name)) {
      into.add(name)
      collectRefs(components[name], into, components)
    }
  }
  for (const item of Object.values(value)) collectRefs(item, into, components)
}

const isPage = (schema: JsonSchema | undefined) => schema?.properties?.['next_cursor'] !== undefined

/** The named schemas that responses refer to. List pages are described once, in the introduction. */
function recordNames(operations: readonly ListedOperation[], components: Components): string[] {
  const names = new Set<string>()
  for (const { operation } of operations) collectRefs(operation.responses, names, components)
  return [...names].filter((name) => !isPage(components[name])).toSorted()
}

/** The whole reference, generated from the document alone. */
export function referencePage(document: OpenApiDocument, assetVersion: string): Markup {
  const { schemas: components } = document.components
  const operations = operationsOf(document)
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags[0])
  const records = recordNames(operations, components)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${document.info.title}</title>
        <link rel="stylesheet" href="/docs/reference.css?v=${assetVersion}" />
        <script src="/docs/reference.js?v=${assetVersion}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <aside>
          <p class="brand"><a href="/docs">${document.info.title}</a></p>
          ${navigation(groups, records)}
        </aside>
        <main id="main">
          ${introduction(document)}
          ${[...groups].map(
            ([group, listed]) =>
              html`<h2 id="${groupId(group)}">${group}</h2>
                ${listed.map((one) => operationView(one, components))}`,
          )}
          <h2 id="records">Records</h2>
          ${records.map(
            (name) =>
              html`<section class="record" id="schema-${name}">
                <h3><a href="#schema-${name}">${name}</a></h3>
                ${schemaView(components[name] ?? {}, { components, refersToNamed: true })}
              </section>`,
          )}
        </main>
      </body>
    </html>`
}
