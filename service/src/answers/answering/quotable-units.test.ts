import { describe, expect, test } from 'vitest'
import { quotableUnits } from './quotable-units.ts'

const shown = (markdown: string) => quotableUnits(markdown).map((unit) => [unit.kind, unit.markdown])

describe('quotable units', () => {
  test('sentences, verbatim with their markup, not cut inside code or links', () => {
    expect(shown('Use `a. B` or [this. That](https://docs.test). Keys, e.g. old\nones, **rotate**.')).toEqual(
      [
        ['sentence', 'Use `a. B` or [this. That](https://docs.test).'],
        ['sentence', 'Keys, e.g. old ones, **rotate**.'],
      ],
    )
  })

  test('sentences of one bold text, without the mark that the other one has', () => {
    expect(shown('**Do not say it. It is secret.** Use `**kwargs` for **both**.')).toEqual([
      ['sentence', 'Do not say it.'],
      ['sentence', 'It is secret.'],
      ['sentence', 'Use `**kwargs` for **both**.'],
    ])
  })

  test('list items, table rows under their header, and code blocks; not headings', () => {
    const page =
      '## Keys\n\n- One item.\n- Another\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n```sh\nrotate\n```\n'
    expect(shown(page)).toEqual([
      ['sentence', 'One item.'],
      ['sentence', 'Another'],
      ['row', '| a | b |\n|---|---|\n| 1 | 2 |'],
      ['row', '| a | b |\n|---|---|\n| 3 | 4 |'],
      ['code', '```sh\nrotate\n```'],
    ])
  })

  test('a sentence that announces a block includes it, also within a list', () => {
    const page =
      '1. First, rotate. Run the following command:\n\n   ```sh\n   rotate \\\n     --all\n   ```\n'
    expect(quotableUnits(page)[1]).toMatchObject({
      markdown: 'Run the following command:',
      announced: '```sh\nrotate \\\n  --all\n```',
      before: 'First, rotate.',
    })
  })

  test('a single line above code includes the code, and "For example:" joins the sentence before it', () => {
    const code = '```sh\nrotate\n```'
    expect(quotableUnits(`Rotate all keys.\n\n${code}`)[0]).toMatchObject({ announced: code })
    expect(quotableUnits(`Keys rotate. They do so daily.\n\n${code}`)[1]).toMatchObject({
      announced: undefined,
    })
    expect(quotableUnits(`Use the command. For example:\n\n${code}`)[0]).toMatchObject({
      markdown: 'Use the command. For example:',
      announced: code,
    })
  })

  test('a sentence that goes on in code includes it', () => {
    const code = '```sh\nrotate\n```'
    const page = (end: string) => quotableUnits(`Old keys stay. ${end}\n\n${code}`)[1]
    expect(page('Finally, run')).toMatchObject({ announced: code })
    expect(page('You are done!')).toMatchObject({ announced: undefined })
  })

  test('a short list of facts is one unit; each item of a list of statements is one', () => {
    const facts = '- **Type:** `boolean`\n- **Default:** `false`'
    expect(quotableUnits(facts)).toMatchObject([
      { kind: 'facts', markdown: facts, plain: 'Type: boolean\nDefault: false' },
    ])
    expect(quotableUnits('- Keys rotate daily.\n- Default: never').map(({ kind }) => kind)).toEqual([
      'sentence',
      'sentence',
    ])
  })

  test('code that goes on in the next passage is left out', () => {
    expect(quotableUnits('Run this:\n\n```sh\nborg create \\\n```')).toMatchObject([{ announced: undefined }])
    expect(quotableUnits('Run this:\n\n```sh\nborg create \\\n```\n\nThen wait.')).toHaveLength(3)
  })

  test('blocks that are too long to quote are left out', () => {
    const long = `\`\`\`\n${'line\n'.repeat(40)}\`\`\``
    expect(quotableUnits(`See this:\n\n${long}`)).toMatchObject([{ kind: 'sentence', announced: undefined }])
  })
})

test('a name in bold keeps its marks, although emphases behind it stand side by side', () => {
  const entry = '**max_age** (*Optional**[**Union**[**timedelta**,* *int**]**]*) – a number of seconds.'
  expect(quotableUnits(entry).map(({ markdown }) => markdown)).toEqual([entry])
})

describe('a paragraph', () => {
  test('is divided where its sentences end, and knows what stands between them', () => {
    const page =
      '**Neither "fixup!" nor "amend!"** commits change it. The range HEAD..HEAD and *r1^!* or *.C:cs.  Then z.B. Docker.\nLast *one. Or two.*'
    expect(quotableUnits(page).map(({ markdown, gap }) => [gap, markdown])).toEqual([
      ['', '**Neither "fixup!" nor "amend!"** commits change it.'],
      [' ', 'The range HEAD..HEAD and *r1^!* or *.C:cs.'],
      ['  ', 'Then z.B. Docker.'],
      [' ', 'Last *one. Or two.*'],
    ])
    expect(quotableUnits('我走了！你呢？好。').map(({ gap }) => gap)).toEqual(['', '', ''])
  })

  test('is divided at line breaks that readers see where a line is one of its own, and not within a sentence', () => {
    expect(quotableUnits('Basic plan 5 EUR  \nPro plan 12 EUR').map(({ markdown }) => markdown)).toEqual([
      'Basic plan 5 EUR',
      'Pro plan 12 EUR',
    ])
    const page = 'Decision: take the large  \none of them  \nReason: it is cheaper  \nDone.  \nNext line'
    expect(quotableUnits(page).map(({ markdown, gap }) => [gap, markdown])).toEqual([
      ['', 'Decision: take the large  \none of them'],
      ['  \n', 'Reason: it is cheaper  \nDone.'],
      ['  \n', 'Next line'],
    ])
  })
})
