import type { AnswerSteps, Trace } from '@citewell/sdk/management'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { wordsOfCode } from '../../ui/names.ts'
import { Outcome } from '../../ui/outcome.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import classes from './trace-page.module.css'
import { AddToEvaluation } from './add-to-evaluation.tsx'
import { featureInWords, inReadingOrder } from './feature-words.ts'
import { Differences } from './replay-differences.tsx'

const two = (score: number | null): string => (score === null ? '–' : score.toFixed(2))

/** The steps of an answer in words; unknown ones by their code. */
const WORDS: Record<string, string> = {
  'rewrite-query': 'Rewriting',
  'retrieve-chunks': 'Searching',
  'compare-passages': 'Comparing',
  'choose-evidence': 'Choosing',
  'find-custom-answer': 'Looking for a custom answer',
  'write-answer': 'Writing',
  'check-citations': 'Checking',
}
const inWords = (code: string): string => WORDS[code] ?? wordsOfCode(code)

const WRITERS = {
  model: 'A language model wrote the answer',
  quotes: 'The pages were quoted, word for word',
  nobody: 'The reader was told that the question is not covered',
}

function Found({ steps }: { steps: AnswerSteps | Trace }) {
  return (
    <Table
      label="Passages that were found"
      rows={steps.retrieved}
      keyOf={(passage) => passage.chunk_id}
      columns={[
        { name: 'Rank', isNumber: true, of: ({ rank }) => rank },
        {
          name: 'Passage',
          of: ({ title, url, heading_path: path, withheld }) =>
            withheld ? 'withheld' : <a href={url ?? undefined}>{[title, ...(path ?? [])].join(' › ')}</a>,
        },
        { name: 'Score', isNumber: true, of: ({ score }) => two(score) },
        { name: 'Meaning', isNumber: true, of: ({ similarity }) => two(similarity) },
        { name: 'Best sentence', isNumber: true, of: (one) => two(one.sentence_similarity) },
        { name: 'Words', isNumber: true, of: (one) => two(one.word_coverage) },
        { name: 'Shown as', isNumber: true, of: (one) => one.shown_as ?? '–' },
      ]}
    />
  )
}

/** What the judgement looked at, with what each number means. */
const Features = ({ features }: { features: Readonly<Record<string, number>> }) => (
  <>
    <p className={classes['judged']}>What was looked at, each from 0 to 1:</p>
    <dl className={classes['features']}>
      {inReadingOrder(features).map(([code, value]) => {
        const { name, means } = featureInWords(code)
        return (
          <div key={code}>
            <dt>{name}</dt>
            <dd>{two(value)}</dd>
            {means !== undefined && <dd className={classes['means']}>{means}</dd>}
          </div>
        )
      })}
    </dl>
  </>
)

/** What became of each citation. While the answer is written, passages have other numbers than in the end. */
const Checks = ({ checks }: { checks: Trace['citation_checks'] }) => (
  <Card title="Citations, checked">
    <p className={classes['means']}>
      While it is written, an answer has the numbers under “Shown as” above. Then those that it cites are
      numbered from 1.
    </p>
    <Table
      label="Checks of citations"
      rows={checks}
      keyOf={({ number, claim }) => `${number} ${claim}`}
      columns={[
        { name: 'In the answer', isNumber: true, of: ({ became }) => became ?? '–' },
        { name: 'Shown as', isNumber: true, of: ({ number }) => number },
        { name: 'Claim', of: ({ claim }) => claim ?? '–' },
        {
          name: 'Outcome',
          of: ({ outcome, reason }) =>
            outcome === 'dropped' ? (
              <Status tone="warn">
                Dropped:{' '}
                {reason === 'not_offered' ? 'there is no such passage' : 'the passage does not say it'}
              </Status>
            ) : (
              <Status tone="ok">Kept</Status>
            ),
        },
      ]}
    />
  </Card>
)

function Steps({ steps }: { steps: AnswerSteps | Trace }) {
  const {
    rewritten_query: rewritten,
    coverage,
    writer,
    model,
    answer,
    citations,
    citation_checks: checks,
  } = steps
  return (
    <>
      <Card title="Question">
        <p>{steps.query}</p>
        {rewritten !== null && (
          <p>
            Searched for: <em>{rewritten}</em>
          </p>
        )}
      </Card>
      <Card title="Found">
        <Found steps={steps} />
        <p className={classes['times']}>
          {steps.steps.map(({ name, ms }) => `${inWords(name)} ${Math.round(ms)} ms`).join(' · ')}
        </p>
      </Card>
      {coverage !== null && (
        <Card title="Judged">
          <p>
            <Outcome covered={coverage.covered} confidence={coverage.confidence} />
          </p>
          <Features features={coverage.features} />
        </Card>
      )}
      <Card title="Written">
        <p>
          {writer === null
            ? 'Nothing was written.'
            : `${WRITERS[writer]}${model === null ? '' : ` (${model})`}.`}
        </p>
        {steps.stopped_by !== null && (
          <p>
            <Status tone="quiet">
              {steps.stopped_by === 'cancelled'
                ? 'Stopped by the reader'
                : `Failed: ${wordsOfCode(steps.stopped_by).toLowerCase()}`}
            </Status>
          </p>
        )}
        {steps.withheld && (
          <p>
            The answer is withheld: it is based on restricted pages. To read it you need the permission Chat.
          </p>
        )}
        {answer !== null && <AnswerText text={answer} citations={citations} />}
      </Card>
      {checks.length > 0 && <Checks checks={checks} />}
    </>
  )
}

/** How an answer came about, step by step, and how it would be today. */
export function TracePage() {
  const { baseId, messageId } = useParams({ from: '/kb/$baseId/traces/$messageId' })
  const api = useApi()
  const base = useKnowledgeBase(baseId)
  const trace = useQuery({
    queryKey: ['trace', messageId],
    queryFn: ({ signal }) => api.getTrace(messageId, { signal }),
    enabled: base.data?.your_permissions.includes('config') === true,
  })
  const replay = useMutation({ mutationFn: () => api.replayMessage(messageId, {}) })
  return (
    <Page
      title="Trace"
      lead="How this answer came about."
      actions={
        trace.data !== undefined && (
          <Button
            blocked={base.data?.status === 'archived' ? 'This knowledge base is archived.' : undefined}
            onClick={() => replay.mutate()}
            disabled={replay.isPending}
          >
            {replay.isPending ? 'Asking again…' : 'Ask it again'}
          </Button>
        )
      }
    >
      {replay.isError && <Fault error={replay.error} />}
      {replay.data !== undefined && (
        <>
          <Differences replay={replay.data} />
          <h2>Today</h2>
          <Steps steps={replay.data.after} />
          <h2>Then</h2>
        </>
      )}
      <NeedsPermission base={base.data} permission="config">
        <Loaded query={trace}>
          {(loaded) => (
            <>
              <p className={classes['ways']}>
                <Link
                  to="/kb/$baseId/conversations/$conversationId"
                  params={{ baseId, conversationId: loaded.conversation_id }}
                >
                  The conversation
                </Link>
                <Link to="/kb/$baseId/answers" params={{ baseId }} search={{ question: loaded.query }}>
                  Write an answer to this question
                </Link>
                <Link to="/kb/$baseId/traces" params={{ baseId }}>
                  All traces
                </Link>
                <span>
                  Asked <Time at={loaded.created_at} />
                </span>
              </p>
              <AddToEvaluation baseId={baseId} trace={loaded} />
              <Steps steps={loaded} />
            </>
          )}
        </Loaded>
      </NeedsPermission>
    </Page>
  )
}
