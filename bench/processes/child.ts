import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A helper process of the bench, which answers requests. */
export interface Child extends AsyncDisposable {
  pid: number
  ask<Answer>(kind: string, given?: unknown): Promise<Answer>
  /** Receives unsolicited messages. */
  onNews(listener: (news: string) => void): void
}

interface Asked {
  id: number
  kind: string
  given: unknown
}

type Said = { id: number; answer: unknown } | { id: number; fault: string } | { news: string }

/** Starts a TypeScript file that calls `answerParent`. */
export function startChild(file: string): Child {
  const child: ChildProcess = fork(file, { execArgv: ['--conditions=citewell-source'] })
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (why: Error) => void }>()
  let lastId = 0
  let listener: (news: string) => void = () => {}
  child.on('message', (said: Said) => {
    if ('news' in said) {
      listener(said.news)
      return
    }
    const call = waiting.get(said.id)
    waiting.delete(said.id)
    if ('fault' in said) call?.reject(new Error(said.fault))
    else call?.resolve(said.answer)
  })
  child.on('exit', () => {
    for (const call of waiting.values()) call.reject(new Error(`${file} ended before it answered.`))
  })
  return {
    pid: child.pid ?? 0,
    ask: <Answer>(kind: string, given?: unknown) =>
      new Promise<Answer>((resolve, reject) => {
        lastId += 1
        waiting.set(lastId, { resolve: (answer) => resolve(answer as Answer), reject })
        child.send({ id: lastId, kind, given } satisfies Asked)
      }),
    onNews: (next) => {
      listener = next
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** In the child: answers requests by kind, until the parent disconnects. */
export function answerParent(answers: Record<string, (given: never) => unknown>): (news: string) => void {
  const say = (said: Said) => process.send?.(said)
  process.on('message', (asked: Asked) => {
    const answer = async () => await (answers[asked.kind] as (given: unknown) => unknown)(asked.given)
    answer().then(
      (value) => say({ id: asked.id, answer: value }),
      (fault: unknown) =>
        say({ id: asked.id, fault: fault instanceof Error ? (fault.stack ?? '') : String(fault) }),
    )
  })
  process.on('disconnect', () => process.exit())
  return (news) => say({ news })
}
