import { describe, expect, test } from 'vitest'
import { createRecase } from './recase.ts'
import { questionOfTitle } from './question-of-title.ts'

/** Prose from which the case of words is learned, as from the pages of a base. */
const PROSE = `The signing keys rotate daily, and the console of Acme shows each key in a table of keys. A request context holds the
request. You deploy applications to production with Acme. Set options for the build in the settings. Mail goes to the server that
Exim and Postgres talk to. Form validation with forms, template inheritance and extension modules are in the docs of the project.
A favicon, errors, blueprints, views, the database, text encodings, internal objects, a merge and statements of the application.`

const context = { recase: createRecase(PROSE), product: 'Acme' }
const ask = (title: string) => questionOfTitle(title, context)?.text

test.each([
  ['Rotating signing keys', 'How do I rotate signing keys?'],
  ['Rotating Signing Keys', 'How do I rotate signing keys?'],
  ['Rotate your signing keys', 'How do I rotate my signing keys?'],
  ['How to revert a faulty merge', 'How do I revert a faulty merge?'],
  ['3. Building and installing Acme', 'How do I build and install Acme?'],
  ['Define and Access the Database', 'How do I define and access the database?'],
  ['Deploying Applications to Production', 'How do I deploy applications to production?'],
  ['Tutorial: Add a favicon', 'How do I add a favicon?'],
  ['Testing Acme applications', 'How do I test Acme applications?'],
  ['Step 4: Configure the server (Acme console)', 'How do I configure the server?'],
  ['Handling Errors', 'How do I handle errors?'],
])('a title with an action becomes a how-to question: %s', (title, question) => {
  expect(ask(title)).toBe(question)
})

test.each([
  ['The Request Context', 'How does the request context work?'],
  ['Template Inheritance', 'How does template inheritance work?'],
  ['Blueprints and Views', 'What are blueprints and views?'],
  ['Build Options', 'Which build options are there?'],
  ['JavaScript API', 'How do I use the JavaScript API?'],
  ['merge API', 'How do I use the merge API?'],
  ['DROP TABLE', 'What does DROP TABLE do?'],
  ['ray.tune.randint', 'What does ray.tune.randint do?'],
  ['json — JSON encoder and decoder', 'How do I use json?'],
  ['binascii — Convert between text encodings', 'How do I convert between text encodings?'],
  ['How Exim receives and delivers mail', 'How does Exim receive and deliver mail?'],
  ['How Acme answers', 'How does Acme answer?'],
  ['Internal versus external objects', 'What is the difference between internal and external objects?'],
  ['Why Acme', 'Why should I use Acme?'],
  ['What is a request context?', 'What is a request context?'],
])('a title that names a thing becomes a question about it: %s', (title, question) => {
  expect(ask(title)).toBe(question)
})

test('titles that do not name the product become questions about it', () => {
  expect(ask('Installation')).toBe('How do I install Acme?')
  expect(ask('Quickstart')).toBe('How do I get started with Acme?')
  expect(ask('1. Introduction')).toBe('What is Acme?')
  expect(questionOfTitle('Installation', { ...context, product: undefined })).toBeUndefined()
})

describe('no question is derived from', () => {
  test.each([
    'Index',
    'Table of Contents',
    'Changelog',
    'API reference',
    'Glossary',
    'Next steps',
    'User Guides',
    'Release 3.16.0 on 2017-01-02',
    'What’s New in Acme 3.3',
    'June 27th, 2024',
    'Migration from v5',
    'About these documents',
    'docs/index.md',
    '404',
    'Test Coverage Utilities',
    'Keep Developing!',
    'How Acme grows teams',
    'When views matter',
    'Streaming contents',
    'Troubleshooting guide',
    '',
    '—',
  ])('%s', (title) => {
    expect(ask(title)).toBeUndefined()
  })
})

test.each(['Getting started', 'Quickstart', 'Quick start guide'])(
  'a getting-started title gives a question even if the product is unknown: %s',
  (title) => {
    expect(questionOfTitle(title, { ...context, product: undefined })?.text).toBe('How do I get started?')
    expect(questionOfTitle('Installation', { ...context, product: undefined })).toBeUndefined()
  },
)
