import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'
import { supportForm } from './support-form.ts'
import type { TagAttributes } from './script-tag.ts'

export interface ArticleParts {
  isEmbedded: boolean
  /** The script tag of this page, to read. */
  tag: string
  origin: string
  attributes: TagAttributes
}

const side = html`<nav class="side" aria-label="Pages">
  <h2>Start</h2>
  <ul>
    <li><a href="#top">Install</a></li>
    <li><a href="#top">Your first knowledge base</a></li>
  </ul>
  <h2>Content</h2>
  <ul>
    <li><a href="#top">Sources</a></li>
    <li><a href="#top" aria-current="page">Keep answers fresh</a></li>
    <li><a href="#top">Versions</a></li>
  </ul>
  <h2>Reach</h2>
  <ul>
    <li><a href="#tag">Website widget</a></li>
    <li><a href="#form">Support form</a></li>
    <li><a href="#top">AI tools</a></li>
  </ul>
</nav>`

const toc = html`<nav class="toc" aria-label="On this page">
  <h2>On this page</h2>
  <ul>
    <li><a href="#schedule">Read on a schedule</a></li>
    <li><a href="#now">Read now</a></li>
    <li><a href="#changes">What is read again</a></li>
    <li><a href="#tag">The tag on this page</a></li>
    <li><a href="#form">A support form</a></li>
  </ul>
</nav>`

/** Elements of the page that open the widget. */
const askButtons = html`<div class="asks">
  <button type="button" data-citewell-open="How do I make a backup?">How do I make a backup?</button>
  <button type="button" data-citewell-open="Which languages are supported?">
    Which languages are supported?
  </button>
  <button type="button" data-citewell-open="ask">Ask something else</button>
</div>`

/** A page of Citewell's own guide. What it says is true, and most of it is in the guide that the sample base holds. */
export const demoArticle = (parts: ArticleParts): Markup =>
  html`<div class="body" id="top">
      ${side}
      <main>
        <p class="crumbs">Guide › Content</p>
        <h1>Keep answers fresh</h1>
        <p class="lead">
          Documentation changes. Citewell reads it again, and answers change with it, page by page.
        </p>
        ${parts.isEmbedded ? html`<citewell-ask></citewell-ask>` : ''} ${parts.isEmbedded ? '' : askButtons}
        <h2 id="schedule">Read on a schedule</h2>
        <p>
          Each source has a refresh: <code>hourly</code>, <code>daily</code>, <code>weekly</code> or
          <code>monthly</code>, or <code>none</code>. The knowledge base can also read all of its sources
          together (<code>scheduled_crawling</code>), in addition to the refresh of each.
        </p>
        <pre tabindex="0"><code>curl -X PATCH ${parts.origin}/api/v1/sources/$SOURCE \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"refresh": "daily"}'</code></pre>
        <h2 id="now">Read now</h2>
        <p>From the command line, or in the job that publishes your site:</p>
        <pre tabindex="0"><code>npx citewell sync docs
npx citewell sync docs --kb "Acme docs"</code></pre>
        <div class="note">
          <p><strong>While it reads, readers keep their answers.</strong></p>
          <p>
            A new version of a page is written beside the old one and takes its place in one step. No reader
            sees half a page.
          </p>
        </div>
        <h2 id="changes">What is read again</h2>
        <div class="table" tabindex="0" role="region" aria-label="What is read again">
          <table>
            <thead>
              <tr>
                <th>What changed</th>
                <th>What happens</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>Nothing: the server answers 304</td>
                <td>The page is not sent, parsed or embedded again</td>
              </tr>
              <tr>
                <td>The text of a page</td>
                <td>The page is read, and replaces its old version</td>
              </tr>
              <tr>
                <td>A page is gone</td>
                <td>It is removed once the sync has ended well</td>
              </tr>
              <tr>
                <td>The server fails</td>
                <td>The old version stays; the sync lists the reason</td>
              </tr>
            </tbody>
          </table>
        </div>
        <h2 id="tag">The tag on this page</h2>
        <p>This is all that the page has of Citewell:</p>
        <pre tabindex="0" class="wraps"><code>${parts.tag}</code></pre>
        <p>
          Its Content-Security-Policy allows scripts, requests and styles of one origin, and nothing
          <code>unsafe</code>: open the developer tools and look.
        </p>
        <h2 id="form">A support form</h2>
        <p>
          Describe a problem in at least fifteen characters. Before the form is sent, Citewell looks for an
          answer; whatever happens, you can always send it.
        </p>
        ${supportForm({ attributes: parts.attributes, sentTo: '/widget/demo#form' })}
        <nav class="pages" aria-label="Next pages">
          <a href="#top">← Sources</a>
          <a href="#top">Versions →</a>
        </nav>
      </main>
      ${toc}
    </div>
    <footer>A page of documentation as your readers know them. It is only an example.</footer>`
