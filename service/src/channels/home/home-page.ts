import type { Citation } from '@citewell/contract/chat'
import { LIMITS } from '@citewell/contract/limits'
import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import { answerMarkup } from './answer-markup.ts'

/** The knowledge base that can be asked on the page itself. */
export interface Sample {
  name: string
  /** Its public client key. */
  key: string
  questions: readonly string[]
  csrf: string
}

export interface Answered {
  question: string
  answer: string
  citations: readonly Citation[]
}

export interface HomeParts {
  /** Only for a browser on this machine. Others learn nothing about what is stored here. */
  sample: Sample | undefined
  answered: Answered | undefined
  fault: string | undefined
  /** Without a trailing slash. */
  publicUrl: string
  isOnThisMachine: boolean
}

const askForm = ({ csrf, questions, name }: Sample, asked: string | undefined) =>
  html`<form method="post" action="/">
      <input type="hidden" name="csrf" value="${csrf}" />
      <label
        >${asked === undefined ? 'Ask' : 'Ask again'} the knowledge base “${name}”
        <input type="text" name="query" required maxlength="${LIMITS.query}" autocomplete="off" />
      </label>
      <button>Ask</button>
    </form>
    ${
      questions.length === 0
        ? ''
        : html`<form method="post" action="/">
            <input type="hidden" name="csrf" value="${csrf}" />
            <p class="hint below">Or one of these:</p>
            ${questions.map(
              (question) =>
                html`<p><button class="second" name="query" value="${question}">${question}</button></p>`,
            )}
          </form>`
    }`

const isWeb = (url: string) => /^https?:\/\//i.test(url)

const source = ({ index, title, heading_path: path, url }: Citation) => {
  const words = [title, ...path].join(' › ')
  return html`<li value="${index}">${isWeb(url) ? html`<a href="${url}">${words}</a>` : words}</li>`
}

const answeredPart = ({ question, answer, citations }: Answered) =>
  html`<h2 dir="auto">${question}</h2>
    <div class="answer" lang="" dir="auto">${answerMarkup(answer)}</div>
    ${
      citations.length === 0
        ? ''
        : html`<h3>Sources</h3>
            <ol>
              ${citations.map(source)}
            </ol>`
    }`

const toolsPart = (publicUrl: string, key: string) =>
  html`<section>
    <h2>Connect AI tools</h2>
    <p>An MCP client can search and ask with the public client key of this knowledge base:</p>
    <pre>
claude mcp add --transport http citewell ${publicUrl}/mcp --header "Authorization: Bearer ${key}"</pre>
  </section>`

const commandLinePart = html`<section>
  <h2>On the command line</h2>
  <p>In the folder of Citewell, while it runs:</p>
  <pre>
npx citewell ask "How do I …?"
npx citewell up https://docs.example.com
npx citewell list
npx citewell help</pre>
  <p>The guide is in <code>docs/guide</code> there.</p>
</section>`

/** The home page: what this is, and where to go. Remote visitors see nothing else. */
export const homePage = (parts: HomeParts): Markup => {
  const { sample, answered, fault, publicUrl, isOnThisMachine } = parts
  return plainPage(
    answered === undefined ? 'Citewell' : `${answered.question} · Citewell`,
    html`<h1>Citewell</h1>
      <p>
        Answers questions from documentation, with citations, and says so when the documentation does not
        cover the question.
      </p>
      ${fault === undefined ? '' : html`<p class="fault" role="alert">${fault}</p>`}
      ${answered === undefined ? '' : answeredPart(answered)}
      ${sample === undefined ? '' : askForm(sample, answered?.question)}
      ${
        isOnThisMachine && sample === undefined
          ? html`<p>
              There is no knowledge base to ask yet. Read a site with
              <code>npx citewell up https://docs.example.com</code>.
            </p>`
          : ''
      }
      <section>
        <h2>Where to go</h2>
        <ul>
          <li><a href="/sign-in?to=/">Dashboard</a>: sign in, and see sources, questions and settings</li>
          <li><a href="/account">Your account</a>: password, connected AI tools</li>
          ${
            sample === undefined
              ? ''
              : html`<li><a href="/widget/demo">The website widget</a>, on a page of documentation</li>`
          }
          <li><a href="/docs">API reference</a>, and <a href="/openapi.json">as OpenAPI</a></li>
        </ul>
      </section>
      ${sample === undefined ? '' : toolsPart(publicUrl, sample.key)}
      ${isOnThisMachine ? commandLinePart : ''}`,
  )
}
