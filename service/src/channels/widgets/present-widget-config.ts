/** Fields for the answering model only: the owner's instructions are not for visitors of the page. */
const VOICE = new Set(['persona', 'tone', 'standing_instructions'])

/** The saved settings without the owner's instructions. The satisfaction questions are always off, because widgets do not ask them. */
export function presentSavedConfig(saved: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { satisfaction_after_answers: _, ...config } = saved
  const shown = Object.entries(config).filter(([field]) => !VOICE.has(field))
  return { ...Object.fromEntries(shown), exit_feedback_enabled: false, satisfaction_feedback_enabled: false }
}
