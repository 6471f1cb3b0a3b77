import { describe, expect, test } from 'vitest'
import { passage } from '../../../test/answering-world.ts'
import { quotesOf } from '../../../test/quotes-of.ts'
import { addressesIn } from './evidence-addresses.ts'
import { ownSentences } from './own-sentences.ts'
import { bestOfEachPiece, chooseQuotes, unitsOf } from './quotes.ts'
import { renderQuotes } from './render-quotes.ts'

const BACKUP = 'Stop the service first.\n\nThen copy the data directory. Start it again.'

describe('a quote', () => {
  test('goes on behind its best sentence, and its number follows its last one', async () => {
    expect(await quotesOf([passage(1, BACKUP)], ['Stop'])).toBe(
      '> Stop the service first.\n>\n> Then copy the data directory. Start it again. [1]',
    )
  })

  test('is what the page says, with what stands between its sentences', async () => {
    const page = 'The range HEAD..HEAD is empty.  And *r1^!* or *.C:cs are not. # is a comment.'
    expect(await quotesOf([passage(1, page)], ['The range'])).toBe(`> ${page} [1]`)
    expect(await quotesOf([passage(1, page)], ['# is'])).toMatch(
      /^(?:From [^\n]+\n\n)?> \\# is a comment\. \[1\]$/,
    )
    const chinese = '我们今天下午两点钟就要出发了！你呢。好的，你们都在这里等我回来吧。'
    expect(await quotesOf([passage(1, chinese)], ['我们今天'])).toBe(`> ${chinese} [1]`)
    const lines = 'Decision: the large one.  \nReason: it is cheaper.'
    expect(await quotesOf([passage(1, lines)], ['Decision'])).toBe(
      '> Decision: the large one.  \n> Reason: it is cheaper. [1]',
    )
  })

  test('ends before it is too long', async () => {
    const long = `The last one. ${'word '.repeat(50)}ends here.`
    expect(await quotesOf([passage(1, `${BACKUP}\n\n${long}`)], ['Stop'])).not.toContain('ends here')
  })

  test('does not end with a line that announces what is not quoted, with a label, or with a version alone', async () => {
    const many = Array.from({ length: 30 }, (_, place) => `line ${place}`).join('\n')
    const dangling = `Stop the service first.\n\nThe whole script is this:\n\n\`\`\`sh\n${many}\n\`\`\``
    expect(await quotesOf([passage(1, dangling)], ['Stop'])).toBe('> Stop the service first. [1]')
    const noted = 'Removes one cookie.\n\nNew in version 3.8.'
    expect(await quotesOf([passage(1, noted)], ['Removes'])).toBe('> Removes one cookie. [1]')
    const linked = 'Removes one cookie.\n\n**See also**\n\n[All of the cookies](https://docs.test/1)'
    expect(await quotesOf([passage(1, linked)], ['Removes'])).toBe('> Removes one cookie. [1]')
    const labelled = `Removes one cookie.\n\n**Note**\n\n${'word '.repeat(80)}ends here.`
    expect(await quotesOf([passage(1, labelled)], ['Removes'])).toBe('> Removes one cookie. [1]')
  })

  test('does not go on into another section of its passage', async () => {
    const two = passage(1, BACKUP, {
      places: [
        { at: 0, headings: [] },
        { at: BACKUP.indexOf('Then'), headings: ['Copy'] },
      ],
    })
    expect(await quotesOf([two], ['Stop'])).toBe('> Stop the service first. [1]')
  })

  test('of code begins with the line that introduces it', async () => {
    const page = 'It is one command.\n\nRun this:\n\n```sh\ncp -a data backup\n```'
    expect(await quotesOf([passage(1, page)], ['cp'])).toBe(
      '> Run this: [1]\n>\n> ```sh\n> cp -a data backup\n> ```',
    )
  })

  test('shows items of a list as a list', async () => {
    const page = '- Stop the service.\n- Copy the directory.'
    expect(await quotesOf([passage(1, page)], ['Stop'])).toBe(
      '> - Stop the service.\n> - Copy the directory. [1]',
    )
  })

  test('of an item shows what introduces its list: a short list whole, of a long one that item', async () => {
    const short = 'These are your options:\n\n- Pull the data.\n- Mount the disk.'
    expect(await quotesOf([passage(1, short)], ['Mount'])).toBe(
      '> These are your options: [1]\n>\n> - Pull the data.\n> - Mount the disk.',
    )
    const items = Array.from({ length: 30 }, (_, place) => `- you want number ${place}`)
    const long = `Use this if:\n\n${items.join('\n')}\n- your files are large`
    expect(await quotesOf([passage(1, long)], ['your files'])).toBe(
      '> Use this if:\n>\n> - …\n> - your files are large [1]',
    )
    expect(await quotesOf([passage(1, long)], ['you want number 0'])).toMatch(
      /^> Use this if:\n>\n> - you want number 0\n/,
    )
  })

  test('begins with what leads to it in its paragraph, if that answers too and is short', async () => {
    const page = 'The server listens on port 8443. Both ports have to be open.'
    const shown = '> The server listens on port 8443. Both ports have to be open. [1]'
    expect(await quotesOf([passage(1, page)], ['Both', 'The server'])).toBe(shown)
    const long = `The server listens. ${'Word '.repeat(70)}ends. Both have to be open.`
    expect(await quotesOf([passage(1, long)], ['Both', 'Word'])).toMatch(
      /^> (?:\S+ )*Both have to be open\. \[1\]$/m,
    )
  })

  test('begins with the yes or no that it explains', async () => {
    const page = 'Yes.\n\nIt is one binary without dependencies.\n\nAnother matter is how it is run.'
    expect(await quotesOf([passage(1, page)], ['It is one'])).toMatch(/^> Yes\.\n>\n> It is one binary/)
  })

  test('of a paragraph that refers to the one before begins with that', async () => {
    const page = 'The archive has a key.\n\nIn the meantime nobody can open it.\n\nKeep it safe from others.'
    expect(await quotesOf([passage(1, page)], ['In the meantime'])).toBe(
      '> The archive has a key.\n>\n> In the meantime nobody can open it.\n>\n> Keep it safe from others. [1]',
    )
    expect(await quotesOf([passage(1, page)], ['Keep', 'In the meantime'])).toContain(
      '> Keep it safe from others. [1]\n\n',
    )
  })

  test('of a row is that row alone', async () => {
    const page =
      '| setting | default |\n|---|---|\n| `PORT` listens on | 3000 |\n| `HOST` listens at | 127.0.0.1 |\n'
    expect(await quotesOf([passage(1, page)], ['setting'])).toContain('`PORT`')
    expect(await quotesOf([passage(1, page)], ['setting'])).not.toContain('`HOST`')
  })
})

describe('several quotes', () => {
  const other = passage(2, 'A backup takes a minute for each gigabyte of pages.')

  test('of several pages are below the names of their pages', async () => {
    expect(await quotesOf([passage(1, BACKUP), other], ['Stop', 'A backup'])).toBe(
      'From Page 1:\n\n> Stop the service first.\n>\n> Then copy the data directory. Start it again. [1]\n\nFrom Page 2:\n\n> A backup takes a minute for each gigabyte of pages. [2]',
    )
  })

  test('of reference pages are below the names of their entries, which say what they are about', async () => {
    const entry = (number: number, heading: string, text: string) =>
      passage(number, text, { headingPath: ['Reference', heading] })
    const [clear, size] = [
      entry(1, 'method clear_all(domain, *, force=False)', 'Removes all cookies of a domain.'),
      entry(2, 'MAX_SIZE', 'The largest upload. MAX_SIZE is in bytes.'),
    ]
    expect(await quotesOf([clear], ['Removes'])).toBe(
      'From Page 1 › method clear_all():\n\n> Removes all cookies of a domain. [1]',
    )
    expect(await quotesOf([clear, size], ['Removes', 'The largest'])).toContain('From Page 2 › MAX_SIZE:')
    expect(await quotesOf([size], ['MAX_SIZE is'])).toBe('> MAX_SIZE is in bytes. [1]')
    const fixup = entry(
      1,
      '--fixup=[(amend|reword):]<commit>',
      'Makes a new commit. It replaces the old one.',
    )
    expect(await quotesOf([fixup], ['It replaces'])).toContain(
      String.raw`From Page 1 › --fixup=\[(amend\|reword):\]&lt;commit&gt;:`,
    )
    const tiny = passage(1, 'Removes one cookie.\n\nRemoves all cookies.', {
      places: [
        { at: 0, headings: ['clear_one()'] },
        { at: 21, headings: ['clear_all()'] },
      ],
    })
    expect(await quotesOf([tiny], ['Removes all'])).toContain('From Page 1 › clear_all():')
  })

  test('of several sections are below the names of these, and one from the midst of a section as well', async () => {
    const [start, stop] = [
      passage(1, 'Install the program. Then start the service.', { headingPath: ['How do I start?'] }),
      passage(1, 'Press the key twice. It stops at once.', { headingPath: ['Stopping'], ordinal: 1 }),
    ]
    expect(await quotesOf([start, stop], ['Press', 'Then'])).toBe(
      'From Page 1 › Stopping:\n\n> Press the key twice. It stops at once. [2]\n\nFrom Page 1 › How do I start?\n\n> Install the program. Then start the service. [1]',
    )
    expect(await quotesOf([stop], ['Press'])).toBe('> Press the key twice. It stops at once. [1]')
    expect(await quotesOf([stop], ['It stops'])).toMatch(/^From Page 1 › Stopping:/)
    expect(await quotesOf([start], ['Install'])).toMatch(/^From Page 1 › How do I start\?\n/)
  })

  test('that stand one after the other are one quote, in the order of the page, behind the best one unless they lead to it in its paragraph', async () => {
    const filler = `Keep it for ${'many '.repeat(70)}years.`
    const page = `Stop the service first.\n\n${filler}\n\nThe copy is large. Compress it before you store it.\n\n${filler}`
    expect(await quotesOf([passage(1, page)], ['Stop', 'Compress', 'The copy'])).toBe(
      '> Stop the service first. [1]\n\n> The copy is large. Compress it before you store it. [1]',
    )
    expect(await quotesOf([passage(1, page)], ['Compress', 'The copy'])).toBe(
      '> The copy is large. Compress it before you store it. [1]',
    )
    const apart = 'The copy is large.\n\nCompress the copy before you store it.'
    expect(await quotesOf([passage(1, apart)], ['Compress', 'The copy'])).toBe(
      '> Compress the copy before you store it. [1]\n\n> The copy is large. [1]',
    )
  })

  test('leave out nothing of what stands between their sentences', async () => {
    const page = 'Delete the old folder while it runs. Never there! Restart the services afterwards.'
    expect(await quotesOf([passage(1, page)], ['Delete', 'Restart'])).toBe(`> ${page} [1]`)
    const many = Array.from({ length: 30 }, (_, place) => `line ${place}`).join('\n')
    const around = `Run the script that follows now.\n\n\`\`\`sh\n${many}\n\`\`\`\n\nRestart the services afterwards.`
    expect(await quotesOf([passage(1, around)], ['Run', 'Restart'])).toBe(
      '> Run the script that follows now. [1]\n\n> Restart the services afterwards. [1]',
    )
    const asked =
      'Delete the old folder while it runs. Is it safe in production? Restart the services afterwards.'
    expect(await quotesOf([passage(1, asked)], ['Delete', 'Restart'])).toBe(
      '> Delete the old folder while it runs. [1]\n\n> Restart the services afterwards. [1]',
    )
  })

  test('that are rows of one table are that table, in its order, with its header once', async () => {
    const page =
      '| setting | default |\n|---|---|\n| `PORT` listens on | 3000 |\n| `ROLE` of a process | all |\n| `HOST` listens at | 127.0.0.1 |\n'
    const placed = await unitsOf([{ passages: [passage(1, page)] }])
    const [port, , host] = placed
    if (port === undefined || host === undefined) throw new Error('There are no rows.')
    const scored = [host, port].map((unit, place) => ({ ...unit, score: 1 - place / 100 }))
    const quotes = chooseQuotes(scored, placed)
    expect([...renderQuotes(quotes, addressesIn([]), ownSentences('en'))].join('').trim()).toBe(
      '> | setting | default |\n> |---|---|\n> | `PORT` listens on | 3000 |\n> | `HOST` listens at | 127.0.0.1 |\n>\n> [1]',
    )
  })

  test.each([
    { best: 1, further: 0.75, count: 2 },
    { best: 1, further: 0.68, count: 1 },
    { best: 1.25, further: 1, count: 2 },
    { best: 1.25, further: 0.9, count: 1 },
    { best: 1.4, further: 1.32, count: 2 },
    { best: 1.4, further: 1.25, count: 1 },
  ])(
    'are $count where the best scores $best and the next $further: the nearer the best one is, the nearer to it is another',
    async ({ best, further, count }) => {
      const placed = await unitsOf([{ passages: [passage(1, BACKUP)] }, { passages: [other] }])
      const [one, two] = [placed[0], placed.find(({ number }) => number === 2)]
      if (one === undefined || two === undefined) throw new Error('There are no units.')
      const scored = [
        { ...one, score: best },
        { ...two, score: further },
      ]
      expect(chooseQuotes(scored, placed)).toHaveLength(count)
    },
  )

  test('repeat nothing', async () => {
    const quotes = await quotesOf([passage(1, BACKUP)], ['Then', 'Stop'])
    expect(quotes.match(/copy the data directory/g)).toHaveLength(1)
  })

  test('as the nearest passages are one of each', async () => {
    const quotes = await quotesOf([passage(1, BACKUP), other], ['Stop', 'Then', 'A backup'], bestOfEachPiece)
    expect(quotes.match(/\[\d\]/g)).toEqual(['[1]', '[2]'])
  })
})
