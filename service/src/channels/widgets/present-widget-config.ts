/** What only the answering model is told: an owner's instructions are nothing for whoever opens the page. */
const VOICE = new Set(['persona', 'tone', 'standing_instructions'])

/** What was saved, but for the owner's voice, and for the questions of satisfaction, which no widget asks, whatever was saved. */
export function presentSavedConfig(saved: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { satisfaction_after_answers: _, ...config } = saved
  const shown = Object.entries(config).filter(([field]) => !VOICE.has(field))
  return { ...Object.fromEntries(shown), exit_feedback_enabled: false, satisfaction_feedback_enabled: false }
}
