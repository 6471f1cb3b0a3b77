import { curlOf } from '../../ui/curl.ts'
import type { Snippet } from '../../ui/snippets.tsx'

const DOCUMENT = {
  external_id: 'faq-1',
  title: 'How do I rotate a key?',
  url: 'https://docs.example.com/faq#1',
  markdown: 'Open **Settings**, then press *Rotate*.',
}

/** What a program sends to a source that exists. */
export function pushSnippets({ origin, sourceId }: { origin: string; sourceId: string }): Snippet[] {
  const path = `/api/v1/sources/${sourceId}/documents`
  const body = { documents: [DOCUMENT] }
  return [
    {
      name: 'curl',
      place: 'In a terminal',
      note: 'Sent again with the same external_id, a document is replaced. It is found as soon as the call returns.',
      text: curlOf({ method: 'PUT', path, body }, origin),
    },
    {
      name: 'JavaScript',
      place: 'push.js',
      text: [
        `const response = await fetch('${origin}${path}', {`,
        "  method: 'PUT',",
        '  headers: {',
        '    authorization: `Bearer ${process.env.CITEWELL_TOKEN}`,',
        "    'content-type': 'application/json',",
        '  },',
        `  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`,
        '})',
        'if (!response.ok) throw new Error(await response.text())',
      ].join('\n'),
    },
    {
      name: 'Python',
      place: 'push.py',
      text: [
        'import json, os, urllib.request',
        '',
        `body = ${JSON.stringify(body, null, 4)}`,
        'request = urllib.request.Request(',
        `    "${origin}${path}",`,
        '    json.dumps(body).encode(),',
        '    {',
        '        "Authorization": "Bearer " + os.environ["CITEWELL_TOKEN"],',
        '        "Content-Type": "application/json",',
        '    },',
        '    method="PUT",',
        ')',
        'print(urllib.request.urlopen(request).read().decode())',
      ].join('\n'),
    },
  ]
}

/** The same from the beginning: a program that makes its source itself. */
export const newPushSourceSnippet = ({ origin, baseId }: { origin: string; baseId: string }): string =>
  curlOf(
    {
      method: 'POST',
      path: `/api/v1/knowledge-bases/${baseId}/sources`,
      body: { type: 'push', name: 'Guides' },
    },
    origin,
  )
