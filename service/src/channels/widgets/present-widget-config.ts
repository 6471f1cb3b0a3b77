import { WidgetLooks } from '@citewell/contract/widget-looks'

/** Fields for the answering model only: the owner's instructions are not for visitors of the page. */
const VOICE = new Set(['persona', 'tone', 'standing_instructions'])

/** The saved settings without the owner's instructions. The satisfaction questions are always off, because widgets do not ask them. */
export function presentSavedConfig(saved: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { satisfaction_after_answers: _, ...config } = saved
  // A look that was cleared is as if it had never been set.
  const shown = Object.entries(config).filter(
    ([field, value]) => !VOICE.has(field) && !(value === null && field in WidgetLooks.shape),
  )
  return { ...Object.fromEntries(shown), exit_feedback_enabled: false, satisfaction_feedback_enabled: false }
}
