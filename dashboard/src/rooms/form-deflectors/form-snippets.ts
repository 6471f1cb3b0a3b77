import type { Snippet } from '../../ui/snippets.tsx'

/** What is pasted into a page with a support form. */
export function formSnippets({
  origin,
  baseId,
  formId,
}: {
  /** Address of the service. */
  origin: string
  baseId: string
  formId: string
}): Snippet[] {
  const attributes = (indent: string) =>
    [
      'for="#ticket" subject="[name=subject]" body="[name=description]"',
      `knowledge-base-id="${baseId}"`,
      `form-id="${formId}"`,
    ].join(`\n${indent}`)
  return [
    {
      name: 'HTML',
      place: 'After your form',
      note: 'The selectors name your form and its fields. Nothing in the form itself changes.',
      text: `<script type="module" src="${origin}/widget/form.js"></script>\n<citewell-form ${attributes('               ')}></citewell-form>`,
    },
    {
      name: 'React',
      place: 'support-form.tsx',
      note: 'The script is loaded once, when the form is shown first.',
      text: [
        "import { useEffect } from 'react'",
        '',
        'export function SupportAnswers() {',
        '  useEffect(() => {',
        `    void import(/* @vite-ignore */ '${origin}/widget/form.js')`,
        '  }, [])',
        '  return (',
        '    <citewell-form',
        `      ${attributes('      ')}`,
        '    />',
        '  )',
        '}',
      ].join('\n'),
    },
    {
      name: 'Colours',
      place: 'In your style sheet',
      note: 'Colours follow the page. These properties change them.',
      text: 'citewell-form {\n  --cw-accent: #0b6e69;\n  --cw-radius: 8px;\n  --cw-font: inherit;\n}',
    },
    {
      name: 'Content Security Policy',
      place: 'If your page has one',
      text: `script-src ${origin}; connect-src ${origin}`,
    },
  ]
}
