const SIGNATURE = 'Ada Lovelace, Acme GmbH, https://acme.example\n'
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAA\n'.repeat(
  55_000,
)
const PARTS = ['Content-Type: multipart/related; boundary=part', 'MIME-Version: 1.0']

const part = (type: string, body: string, encoding = '7bit') =>
  `--part\nContent-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\n\n${body}\n`
const file = part('image/png; name="a.png"', PICTURE, 'base64')
const html = part('text/html; charset=utf-8', '<p>-- <br>Ada Lovelace<br><img src="cid:logo"></p>')

/** Mails of more than 4 MB that ask nothing: a signature, one with a picture, and a file alone. Their text, and what is in their head. */
export const WORDLESS_MAILS: readonly { text: string; headers: string[] }[] = [
  { text: `-- \n${SIGNATURE.repeat(95_000)}`, headers: [] },
  { text: `${html}${file}--part--`, headers: PARTS },
  { text: `${file}--part--`, headers: PARTS },
]
