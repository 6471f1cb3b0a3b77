import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../free-port.ts'

const RT_SERVER = '/usr/share/request-tracker5/libexec/rt-server'
const RT_SETUP = '/usr/sbin/rt-setup-database-5'
const RT_NAME = 'desk.example'

/** Whether the real Request Tracker of Debian (request-tracker5, rt5-standalone, rt5-db-sqlite) is on this machine. */
export const HAS_REQUEST_TRACKER = existsSync(RT_SERVER) && existsSync(RT_SETUP)

/** A message of a ticket as RT has it. */
export interface RtMessage {
  type: 'Create' | 'Correspond' | 'Comment'
  by: string
  text: string
}

export interface RequestTracker extends AsyncDisposable {
  address: string
  credentials: { token: string }
  /** Of the user that the token belongs to. */
  username: string
  /** A customer writes: a new ticket, or on the one of this id. Returns its id. */
  mail(
    from: string,
    text: string,
    given?: { ticket?: string; subject?: string; headers?: string },
  ): Promise<string>
  /** A person of the team writes to the customer, or a note to the team. */
  agentWrites(ticket: string, text: string, given?: { isInternal?: boolean }): Promise<void>
  /** A person is done with a ticket. */
  resolve(ticket: string): Promise<void>
  /** In their order; without `texts`, their texts are empty. */
  messagesOf(ticket: string, given?: { texts: boolean }): Promise<RtMessage[]>
  /** Its status and queue. */
  stateOf(ticket: string): Promise<{ status: string; queue: string }>
  /** The mails that RT has sent, with the line that says to whom. */
  mails(): { to: string; raw: string }[]
  /** Those that a customer got. */
  mailsTo(address: string): string[]
}

/** Each request proves itself by a password or a token. At its usual cost that is half a second of the processor each time. */
const BCRYPT_COST = 4

/** Of one of its processes. With the usual hundred it would soon be replaced by one that compiles all pages again. */
const MOST_REQUESTS = 1_000_000

const SITE = (folder: string, port: number) => `
use utf8;
Set($rtname, '${RT_NAME}');
Set($Organization, '${RT_NAME}');
Set($WebDomain, '127.0.0.1');
Set($WebPort, ${port});
Set($WebBaseURL, 'http://127.0.0.1:${port}');
Set($WebPath, '');
Set($DatabaseType, 'SQLite');
Set($DatabaseName, '${folder}/rtdb');
Set($MailCommand, 'sendmailpipe');
Set($SendmailPath, '${folder}/sendmail');
Set($MasonDataDir, '${folder}/mason');
Set($MasonSessionDir, '${folder}/session');
Set($BcryptCost, ${BCRYPT_COST});
Set(@LexiconLanguages, qw(en));
Set($LogToSTDERR, 'error');
Set($LogToSyslog, undef);
Set($LogToFile, undef);
1;
`

/** Users, what they may do, a second queue, and a token. Rights cannot be set over RT's API. */
const PEOPLE = (folder: string) => `
my $q = RT::Queue->new(RT->SystemUser); $q->Load('General');
my $second = RT::Queue->new(RT->SystemUser); $second->Create(Name => 'People');
my $user = sub { my ($name) = @_; my $u = RT::User->new(RT->SystemUser);
  my ($ok, $why) = $u->Create(Name => $name, EmailAddress => "$name\\@${RT_NAME}", Privileged => 1, Password => 'password-1');
  die $why unless $ok; $u };
my $grant = sub { my ($who, $on, @rights) = @_; for (@rights) {
  my ($ok, $why) = $who->PrincipalObj->GrantRight(Right => $_, Object => $on); die $why unless $ok } };
my ($us, $agent) = ($user->('citewell'), $user->('agent'));
my $all = RT::Group->new(RT->SystemUser); $all->LoadSystemInternalGroup('Everyone');
$grant->($all, $q, qw(CreateTicket ReplyToTicket));
$grant->($_, $q, qw(SeeQueue ShowTicket ShowTicketComments CommentOnTicket ReplyToTicket ModifyTicket)) for ($us, $agent);
$grant->($_, $second, qw(SeeQueue ShowTicket CreateTicket)) for ($us, $agent);
my $token = RT::AuthToken->new(RT->SystemUser);
my ($ok, $why, $text) = $token->Create(Owner => $us->id, Description => 'test'); die $why unless $ok;
open(my $file, '>', '${folder}/token') or die $!; print $file $text; close($file) or die $!;
`

/** The programs of RT that set up its database and serve, in one: to read its modules takes most of the time of each. */
const START = (folder: string) => `
use strict; use warnings; no warnings 'once';
use lib '/usr/share/request-tracker5/lib';
require RT; RT->LoadConfig(); RT->InitClasses();
require RT::Handle; require RT::Interface::Web::Handler; require RT::PlackRunner;
my @serve = @ARGV;
sub set_up {
@ARGV = ('--action', 'init', '--dba', 'root', '--dba-password', '', '--skip-create');
do '${RT_SETUP}' or die $@;
RT->LoadConfig(); RT->Init();
${PEOPLE(folder)}}
# In a process of its own: what it connects to does not stay open in the server.
my $child = fork // die $!;
unless ($child) { set_up(); exit 0 }
waitpid $child, 0;
die 'The set-up failed' if $?;
@ARGV = @serve;
my $app = do '${RT_SERVER}' or die $@;
my $runner = RT::PlackRunner->new(server => 'Starlet', env => 'deployment', app => $app);
$runner->parse_options(@serve);
$runner->run;
`

const Items = z.looseObject({
  items: z.array(
    z.looseObject({
      id: z.coerce.string(),
      Type: z.string().optional(),
      Creator: z.looseObject({ id: z.coerce.string() }).optional(),
      Content: z.string().optional(),
    }),
  ),
})

/**
 * The real Request Tracker, with a database of its own, on a free port. Its memory is what disk is elsewhere: its set-up is slow there.
 *
 * @param given.workers its processes: each compiles the pages that it serves
 */
export async function startRequestTracker(given: { workers?: number } = {}): Promise<RequestTracker> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'citewell-rt-'))
  for (const name of ['site.d', 'mason', 'session']) mkdirSync(join(folder, name))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  writeFileSync(join(folder, 'site.pm'), SITE(folder, port))
  writeFileSync(join(folder, 'start.pl'), START(folder))
  writeFileSync(join(folder, 'outbox'), '')
  writeFileSync(join(folder, 'sendmail'), `#!/bin/sh\n{ echo '=== mail'; cat; } >> ${folder}/outbox\n`, {
    mode: 0o755,
  })
  const env = {
    PATH: process.env['PATH'],
    RT_SITE_CONFIG: join(folder, 'site.pm'),
    RT_SITE_CONFIG_DIR: join(folder, 'site.d'),
  }
  const log = join(folder, 'log')
  const workers = ['--max-workers', String(given.workers ?? 1), '--max-requests', String(MOST_REQUESTS)]
  const started = [join(folder, 'start.pl'), '--port', String(port), '--host', '127.0.0.1', ...workers]
  const server = spawn('perl', started, {
    env,
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
    // Its workers end with it.
    detached: true,
  })
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  async function call(user: string, method: string, path: string, body?: object): Promise<Response> {
    return await fetch(`${address}/REST/2.0${path}`, {
      method,
      headers: {
        authorization: basic(user, user === 'root' ? 'password' : 'password-1'),
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  const isUp = () =>
    call('root', 'GET', '/rt').then(
      ({ ok }) => ok,
      () => false,
    )
  const end = Date.now() + 60_000
  while (!(await isUp())) {
    if (Date.now() > end || server.exitCode !== null)
      throw new Error(`Request Tracker does not start: ${readFileSync(log, 'utf8').slice(-2_000)}`)
    await new Promise((wake) => {
      setTimeout(wake, 100)
    })
  }
  const itemsOf = async (path: string) => Items.parse(await (await call('root', 'GET', path)).json()).items
  const newest = async () => {
    const path = '/tickets?query=id%20%3E%200&orderby=id&order=DESC&per_page=1'
    return (await itemsOf(path))[0]?.id ?? '0'
  }
  let mails = 0
  const sentMails = () =>
    readFileSync(join(folder, 'outbox'), 'utf8')
      .split('=== mail\n')
      .map((raw) => ({ raw, to: raw.split('\n').find((line) => line.startsWith('To: ')) ?? '' }))

  return {
    address,
    credentials: { token: readFileSync(join(folder, 'token'), 'utf8').trim() },
    username: 'citewell',
    mail: async (from, text, { ticket, subject = 'Help', headers = '' } = {}) => {
      mails += 1
      const about = ticket === undefined ? subject : `Re: [${RT_NAME} #${ticket}] ${subject}`
      const lines = [
        `From: <${from}>`,
        `To: help@${RT_NAME}`,
        `Subject: ${about}`,
        `Message-ID: <${mails}.${from}>`,
        'Content-Type: text/plain; charset=utf-8',
      ]
      if (headers !== '') lines.push(headers)
      const form = new FormData()
      form.set('SessionType', 'REST')
      form.set('queue', 'General')
      form.set('action', 'correspond')
      form.set('message', `${lines.join('\n')}\n\n${text}\n`)
      const taken = await fetch(`${address}/REST/1.0/NoAuth/mail-gateway`, { method: 'POST', body: form })
      const said = await taken.text()
      if (!said.startsWith('ok')) throw new Error(`RT did not take the mail: ${said}`)
      return ticket ?? (await newest())
    },
    agentWrites: async (ticket, text, { isInternal = false } = {}) => {
      const path = `/ticket/${ticket}/${isInternal ? 'comment' : 'correspond'}`
      const answer = await call('agent', 'POST', path, { ContentType: 'text/plain', Content: text })
      if (!answer.ok) throw new Error(`RT: ${answer.status}`)
    },
    resolve: async (ticket) => {
      const answer = await call('root', 'PUT', `/ticket/${ticket}`, { Status: 'resolved' })
      if (!answer.ok) throw new Error(`RT: ${answer.status}`)
    },
    messagesOf: async (ticket, { texts } = { texts: false }) => {
      const history = await itemsOf(
        `/ticket/${ticket}/history?fields=Type,Creator&per_page=100&orderby=id&order=ASC`,
      )
      const messages: RtMessage[] = []
      for (const { id, Type: type, Creator } of history) {
        if (type !== 'Create' && type !== 'Correspond' && type !== 'Comment') continue
        const [part] = texts ? await itemsOf(`/transaction/${id}/attachments?fields=Content`) : []
        messages.push({ type, by: Creator?.id ?? '', text: part?.Content ?? '' })
      }
      return messages
    },
    stateOf: async (ticket) => {
      const read = z
        .looseObject({ Status: z.string(), Queue: z.looseObject({ Name: z.string() }) })
        .parse(await (await call('root', 'GET', `/ticket/${ticket}?fields[Queue]=Name`)).json())
      return { status: read.Status, queue: read.Queue.Name }
    },
    mails: sentMails,
    mailsTo: (address) =>
      sentMails()
        .filter(({ to }) => to.includes(address))
        .map(({ raw }) => raw),
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => {
        server.once('exit', resolve)
      })
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
