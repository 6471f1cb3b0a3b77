import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'
import { scriptTag, type TagAttributes } from './script-tag.ts'
import { supportForm } from './support-form.ts'

export interface PreviewParts {
  attributes: TagAttributes
  /** A form deflector: its form is shown in place of the widget. */
  formId: string | undefined
  /** Whether that form was sent just now. */
  isSent: boolean
}

/** The widget alone, or a support form alone, for a frame of the dashboard. */
export const previewPage = ({ attributes, formId, isSent }: PreviewParts): Markup => {
  const widget = attributes.mode === 'embedded' ? html`<citewell-ask></citewell-ask>` : ''
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${formId === undefined ? 'Preview of the widget' : 'Preview of the support form'}</title>
        <link rel="stylesheet" href="/widget/demo.css" />
        ${
          formId === undefined
            ? scriptTag(attributes)
            : html`<script type="module" src="/widget/form.js"></script>`
        }
      </head>
      <body class="preview">
        ${isSent ? html`<p class="note" role="status">The request was sent. In this preview it goes nowhere.</p>` : ''}
        ${formId === undefined ? widget : supportForm({ attributes, formId, sentTo: '/widget/preview' })}
      </body>
    </html>`
}
