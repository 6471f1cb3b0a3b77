/** What was saved, but for the questions of satisfaction, which no widget asks, whatever was saved. */
export function presentSavedConfig(saved: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { satisfaction_after_answers: _, ...config } = saved
  return { ...config, exit_feedback_enabled: false, satisfaction_feedback_enabled: false }
}
