import type { Replay } from '@citewell/sdk/management'
import { percent } from '../../ui/percent.ts'
import { Card } from '../../ui/page.tsx'
import { Banner, Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'

interface Change {
  what: string
  earlier: string
  now: string
}

type Pages = Replay['differences']['pages_found']

const titles = (pages: Pages['gone']) =>
  pages.map(({ title }) => title ?? 'a page that you may not read').join(', ')

const pageRow = (what: string, { kept, gone, added }: Pages): Change[] =>
  gone.length + added.length === 0
    ? []
    : [
        {
          what,
          earlier: gone.length === 0 ? `${kept} the same` : `− ${titles(gone)}`,
          now: added.length === 0 ? `${kept} the same` : `+ ${titles(added)}`,
        },
      ]

const covered = (is: boolean) => (is ? 'covered' : 'not covered')

/** What differs, each then and now. */
function changesOf({ before, after, differences: found }: Replay): Change[] {
  return [
    ...(found.covered === null
      ? []
      : [{ what: 'Outcome', earlier: covered(found.covered.before), now: covered(found.covered.after) }]),
    ...(found.rewritten_query
      ? [
          {
            what: 'Searched for',
            earlier: before.rewritten_query ?? before.query,
            now: after.rewritten_query ?? after.query,
          },
        ]
      : []),
    ...pageRow('Pages found', found.pages_found),
    ...pageRow('Pages cited', found.pages_cited),
    ...(found.answer
      ? [
          {
            what: 'Answer',
            earlier: `${before.answer?.length ?? 0} characters`,
            now: `${after.answer?.length ?? 0} characters, below`,
          },
        ]
      : []),
    ...(percent(before.confidence) === percent(after.confidence)
      ? []
      : [{ what: 'Confidence', earlier: percent(before.confidence), now: percent(after.confidence) }]),
  ]
}

/** What a replay changed. */
export function Differences({ replay }: { replay: Replay }) {
  if (!replay.differences.any) return <Banner tone="ok">The answer would be the same today.</Banner>
  return (
    <Card
      title="What is different today"
      aside={
        replay.after.covered ? (
          <Status tone="ok">Covered now</Status>
        ) : (
          <Status tone="warn">Not covered now</Status>
        )
      }
    >
      <Table
        label="What is different today"
        rows={changesOf(replay)}
        keyOf={({ what }) => what}
        columns={[
          { name: 'What', of: ({ what }) => what },
          { name: 'Then', of: ({ earlier }) => <span dir="auto">{earlier}</span> },
          { name: 'Now', of: ({ now }) => <span dir="auto">{now}</span> },
        ]}
      />
    </Card>
  )
}
