import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'
import type { TagAttributes } from './script-tag.ts'

export interface SupportFormParts {
  attributes: TagAttributes
  /** The form deflector whose settings apply; undefined: the settings of a form without one. */
  formId?: string | undefined
  /** The page that answers when the form is sent. */
  sentTo: string
}

/** A support form that is answered before it is sent. It goes nowhere: the answer to sending it is a page of this service. */
export const supportForm = ({ attributes, formId, sentTo }: SupportFormParts): Markup => {
  const baseId = attributes['knowledge-base-id']
  const hidden = (name: string, value: string | undefined) =>
    value === undefined ? '' : html`<input type="hidden" name="${name}" value="${value}" />`
  return html`<form class="form" id="ticket" action="${sentTo}" method="get">
      <label>Subject <input name="subject" autocomplete="off" /></label>
      <label>How can we help? <textarea name="description" rows="4" required></textarea></label>
      ${formId === undefined ? '' : [hidden('knowledge_base_id', baseId), hidden('form_id', formId)]}
      <button>Send</button>
    </form>
    <citewell-form
      for="#ticket"
      subject="[name=subject]"
      body="[name=description]"
      ${baseId === undefined ? '' : html`knowledge-base-id="${baseId}"`}
      ${formId === undefined ? '' : html`form-id="${formId}"`}
      ${attributes['client-key'] === undefined ? '' : html`client-key="${attributes['client-key']}"`}
      ${attributes.language === undefined ? '' : html`language="${attributes.language}"`}
    ></citewell-form>`
}
