/** Words that people often build passwords from, our own name among them; attackers guess them first. Lower case, no spaces. */
export const COMMON_WORDS: readonly string[] = `
  abc access account adam admin administrator alexander amanda andrea andrew angel anthony apple april
  ashley asdf august austin autumn baby banana baseball basketball batman beautiful blue brandon butterfly
  change changeme charlie chelsea chocolate citewell company computer cookie correct battery staple horse
  daniel december default demo dragon family february flower football forever freedom friday friend friends
  ginger google guest hannah hello hockey hunter iloveyou internet jennifer jessica jordan joshua july june
  killer letmein login london love loveme lovely maggie manager march master matrix matthew may michael
  michelle monday money monkey mustang my new nicole nothing november october orange owner pass passphrase
  passwd password passwort pepper please pokemon princess private purple qazwsx qwer qwerty qwertz azerty
  ranger robert root samsung saturday secret secure security september server service shadow silver soccer
  spring starwars summer sunday sunshine superman support system temp temporary test testing thomas
  thursday tigger trustno tuesday user wednesday welcome whatever winter work yellow you zxcvbn i is the in
  me january this that your word one two three four five six
`
  .trim()
  .split(/\s+/)

const ROWS = [
  '0123456789012345',
  'abcdefghijklmnopqrstuvwxyzabcd',
  'qwertyuiop[]',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl;',
  'zxcvbnm,./',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '!@#$%^&*()',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** Sequences of neighbouring characters, on the keyboard or in the alphabet, in both directions. */
export const RUNS: readonly string[] = ROWS.flatMap((row) => [row, row.split('').toReversed().join('')])
