import type { SimulationReport } from '@citewell/sdk/management'
import type { ReactNode } from 'react'
import { percent } from '../../ui/percent.ts'
import { Figures } from '../../ui/figures.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, counted, Time } from '../../ui/time.tsx'
import { drawnBy, interval, percent1, rateInWords, seconds } from './figures-in-words.ts'
import { IntervalBar } from './interval-bar.tsx'
import { LeftOut } from './left-out.tsx'
import classes from './simulations.module.css'

type Rate = SimulationReport['tried']
type Counted = SimulationReport['by_tag']

const FEW = 'Fewer than 50 tickets are too few for a rate: too much is down to chance.'

function RateNote({ of, children }: { of: Rate; children: ReactNode }) {
  const { rate, interval: range, of: tickets } = of
  if (rate === null || range === null) return <>{FEW}</>
  return (
    <>
      <IntervalBar rate={rate} {...range} />
      {interval(range)} (95 %), of {count(tickets)} {children}
    </>
  )
}

function Headline({ report }: { report: SimulationReport }) {
  const { tried, all, solved, reviews, like_agent: likeness, failed } = report
  const reviewed = reviews.right + reviews.partly + reviews.wrong
  return (
    <Figures
      figures={[
        {
          name: 'Would be answered',
          value: rateInWords(tried),
          note: (
            <RateNote of={tried}>
              tickets that were tried
              {tried.again !== null && `. As many other tickets: ${interval(tried.again)}`}
            </RateNote>
          ),
        },
        ...(all.of > tried.of
          ? [
              {
                name: 'Of all tickets',
                value: rateInWords(all),
                note: <RateNote of={all}>with those that were left out</RateNote>,
              },
            ]
          : []),
        {
          name: 'Answered correctly',
          value: solved === null ? 'Not known yet' : percent1(solved.rate),
          note:
            solved === null ? (
              `Review 30 answers below: ${count(reviewed)} so far. An answer is not a solution.`
            ) : (
              <>
                <IntervalBar {...solved} />
                {interval(solved)} (95 %). Of {count(reviewed)} answers people found {count(reviews.right)}{' '}
                right, {count(reviews.partly)} right in part, {count(reviews.wrong)} wrong
              </>
            ),
        },
        ...(likeness === null
          ? []
          : [
              {
                name: 'Says what agents said',
                value: percent1(likeness.mean),
                note: `of the sentences in ${count(likeness.compared)} replies of agents, by their words. A likeness, not a proof.`,
              },
            ]),
        ...(failed === 0
          ? []
          : [
              {
                name: 'No answer could be written',
                value: count(failed),
                note: 'They count as not answered.',
              },
            ]),
      ]}
    />
  )
}

function CountedTable({ title, groups }: { title: string; groups: Counted }) {
  if (groups.length < 2) return null
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={title}
        rows={groups}
        keyOf={({ name }) => name}
        columns={[
          { name: title.replace('By ', ''), of: ({ name }) => <bdi>{name}</bdi> },
          { name: 'Tickets', isNumber: true, of: ({ of }) => count(of) },
          { name: 'Would be answered', isNumber: true, of: (group) => rateInWords(group) },
        ]}
      />
    </section>
  )
}

function ShownTickets({ title, tickets }: { title: string; tickets: SimulationReport['surest'] }) {
  if (tickets.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <Table
        label={title}
        rows={tickets}
        keyOf={({ number }) => String(number)}
        columns={[
          { name: 'Ticket', of: ({ subject, beginning }) => <bdi>{subject ?? beginning}</bdi> },
          { name: 'Reference', of: ({ ref }) => ref ?? '–' },
          { name: 'Confidence', isNumber: true, of: ({ confidence }) => percent(confidence) },
        ]}
      />
    </details>
  )
}

function Thresholds({ thresholds }: { thresholds: SimulationReport['thresholds'] }) {
  return (
    <details>
      <summary>If an answer needed more confidence</summary>
      <p>Fewer tickets would be answered, and more of the answers right. Reviews show how much.</p>
      <Table
        label="If an answer needed more confidence"
        rows={thresholds}
        keyOf={({ confidence }) => String(confidence)}
        columns={[
          { name: 'Minimum confidence', isNumber: true, of: ({ confidence }) => percent(confidence) },
          {
            name: 'Would be answered',
            isNumber: true,
            of: ({ answered, rate }) => (rate === null ? count(answered) : percent1(rate)),
          },
          { name: 'Reviewed', isNumber: true, of: ({ reviewed }) => count(reviewed) },
          {
            name: 'Right',
            isNumber: true,
            of: ({ right, reviewed }) => (right === null || reviewed < 10 ? '–' : percent1(right)),
          },
        ]}
      />
    </details>
  )
}

function Against({ against }: { against: NonNullable<SimulationReport['against']> }) {
  const { name, same, gained, lost, by_chance: chance, changed } = against
  return (
    <section>
      <h2>
        Against <bdi>{name}</bdi>
      </h2>
      <p>
        {counted(same, 'ticket is', 'tickets are')} in both.{' '}
        {counted(gained, 'is answered now that was not', 'are answered now that were not')}, {count(lost)} the
        other way round.{' '}
        {gained === lost
          ? ''
          : chance < 0.05
            ? `So large a difference is hardly by chance (${chance < 0.001 ? 'less than 1 in 1,000' : `p = ${chance.toFixed(3)}`}).`
            : `So large a difference may be by chance (p = ${chance.toFixed(2)}).`}
      </p>
      {changed.length > 0 && (
        <Table
          label="What changed"
          rows={changed}
          keyOf={({ number }) => String(number)}
          columns={[
            { name: 'Ticket', of: ({ subject, beginning }) => <bdi>{subject ?? beginning}</bdi> },
            { name: 'Reference', of: ({ ref }) => ref ?? '–' },
            {
              name: 'Change',
              of: ({ change }) =>
                change === 'gained' ? (
                  <Status tone="ok">Answered now</Status>
                ) : (
                  <Status tone="danger">No longer answered</Status>
                ),
            },
          ]}
        />
      )}
    </section>
  )
}

function Gaps({ gaps }: { gaps: SimulationReport['gaps'] }) {
  if (gaps.length === 0) return null
  return (
    <section>
      <h2>What the documentation lacks</h2>
      <p>Tickets that were not answered, by topic.</p>
      <Table
        label="What the documentation lacks"
        rows={gaps}
        keyOf={({ question }) => question}
        columns={[
          { name: 'For example', of: ({ question }) => <bdi>{question}</bdi> },
          { name: 'Tickets', isNumber: true, of: ({ tickets }) => count(tickets) },
          { name: 'References', of: ({ refs }) => (refs.length === 0 ? '–' : refs.join(', ')) },
        ]}
      />
    </section>
  )
}

function Method({ report }: { report: SimulationReport }) {
  const { base, sample, own_documents: own, seconds: took, left_out: leftOut } = report
  return (
    <section>
      <h2>How this was measured</h2>
      <p>
        Each ticket was answered as the help desk would answer its first message, from public documents, and
        nothing was posted. The intervals are Wilson’s; that of the right answers is a bootstrap over both
        samples.{' '}
        {sample === null
          ? 'All tickets were tried.'
          : `The tickets were drawn ${drawnBy(sample)} from ${count(sample.drawn_from)} (seed ${sample.seed}).`}{' '}
        {took === null ? '' : `It took ${seconds(took)}.`}
      </p>
      <p>
        The documentation is read as it is today: pages that were written after a ticket, perhaps because of
        it, help to answer it here.{' '}
        {own > 0 &&
          `${counted(own, 'ticket is', 'tickets are')} in this knowledge base as a document too, which was left out of the ticket’s own answer.`}
      </p>
      <LeftOut tickets={leftOut} />
      {base !== null && (
        <p>
          The knowledge base at the end, <Time at={base.at} />: {counted(base.documents, 'document')} from{' '}
          {base.sources
            .filter(({ documents }) => documents > 0)
            .map(({ name, documents }) => `${name} (${count(documents)})`)
            .join(', ')}
          .{' '}
          {base.model === null
            ? `The answers are quotations${base.embedding === null ? ': nothing left this service' : `; the words of the tickets were sent to ${base.embedding.host} to be compared`}.`
            : `The answers are of the language model ${base.model.name}${base.model.host === null ? '' : ` at ${base.model.host}`}, to which the tickets were sent.`}
        </p>
      )}
    </section>
  )
}

/** The figures of a run, each with what it rests on. */
export function ReportView({ report, children }: { report: SimulationReport; children?: ReactNode }) {
  return (
    <div className={classes['report']}>
      <Headline report={report} />
      {report.against !== null && <Against against={report.against} />}
      {children}
      <Gaps gaps={report.gaps} />
      <CountedTable title="By tag" groups={report.by_tag} />
      <CountedTable title="By month" groups={report.by_month} />
      <CountedTable title="By language" groups={report.by_language} />
      <CountedTable title="By length" groups={report.by_length} />
      <Thresholds thresholds={report.thresholds} />
      <ShownTickets title="Answers with the highest confidence" tickets={report.surest} />
      <ShownTickets title="Answers with the lowest confidence" tickets={report.doubtful} />
      <Method report={report} />
    </div>
  )
}
