import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { requireStrongPassword } from './password-rules.ts'

const isTaken = (password: string, email = 'grace.hopper@example.com') => {
  try {
    requireStrongPassword(password, email)
    return true
  } catch {
    return false
  }
}

verifies('sign-in.password-rules', 'passwords that are easy to guess are refused, and no others', () => {
  const weak =
    `short 12345678901 aaaaaaaaaaaaaaa abcabcabcabcabc 123456789012 098765432109 qwertyuiop12 1q2w3e4r5t6y
    Password1234 P@ssw0rd2026! passwordpassword Welcome12345 iloveyou1234 Summer2026!!! administrator letmeinletmein
    citewell-admin changeme-2026 grace.hopper1 grace.hopper@example.com asdfghjkl;asdf`.split(/\s+/)
  const weakToo = ['', 'correct horse battery staple', 'x'.repeat(129), 'staircase '.repeat(13)]
  const good = [
    'staircase lemon orbit 42',
    'vM4#tq9!Lw2z',
    'eleven orange lemurs',
    'Ünïcödé-wört-ätsch',
    '密码密码一二三四五六七八',
    'we keep bees in the cellar',
    'correct horse cellar lemur',
    'x7Kp-2mQa-99zT',
    'abcrtyxyzmno',
    'my dog ate the router again',
    '👩‍🚀 takes off at nine',
    `${'staircase lemon orbit '.repeat(5)}and on and on an`,
  ]
  expect([...weak, ...weakToo].filter((password) => isTaken(password))).toEqual([])
  expect(good.filter((password) => !isTaken(password))).toEqual([])
})

test('the refusal of a weak password says what to do', () => {
  expect(() => requireStrongPassword('short', 'a@example.com')).toThrow('12 characters or more')
})
