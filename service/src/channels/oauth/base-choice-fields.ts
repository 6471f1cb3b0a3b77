import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'
import type { ChosenBases, OfferedBase } from './connected-tools.ts'

/** Reads the fields of `baseChoiceFields`, each with all of its values. */
export const readChosenBases = (fields: Record<string, readonly string[]>): ChosenBases => ({
  readsAll: fields['all']?.includes('yes') === true,
  knowledgeBaseIds: fields['base'] ?? [],
})

/** The form fields with which a member chooses which bases a tool may read. */
export const baseChoiceFields = (bases: readonly OfferedBase[], chosen: ChosenBases): Markup =>
  html`<fieldset>
    <legend>It may read</legend>
    ${bases.map(
      ({ id, name }) =>
        html`<label class="check"
          ><input
            type="checkbox"
            name="base"
            value="${id}"
            ${chosen.knowledgeBaseIds.includes(id) ? 'checked' : ''}
          />
          <span>${name}</span></label
        >`,
    )}
    <label class="check apart"
      ><input type="checkbox" name="all" value="yes" ${chosen.readsAll ? 'checked' : ''} />
      <span>All that I may chat in, including future ones</span></label
    >
  </fieldset>`
