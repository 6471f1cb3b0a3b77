import { expect, test } from 'vitest'
import { presetOf, questionsOf } from './presets.ts'

const usage = [
  {
    knowledge_base_id: 'docs',
    questions: 12,
    surfaces: [
      { surface: 'widget', questions: 6 },
      { surface: 'mcp', questions: 3 },
      { surface: 'api', questions: 2 },
    ],
  },
] as const

test('a preset counts the questions of its surfaces, one without surfaces all of them', () => {
  expect(questionsOf(presetOf('agents'), usage).get('docs')).toBe(5)
  expect(questionsOf(presetOf('support'), usage).get('docs')).toBe(0)
  expect(questionsOf(presetOf('external'), usage).get('docs')).toBe(12)
  expect(presetOf('unheard-of').show).toBe('')
})
