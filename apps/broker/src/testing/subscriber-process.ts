import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '@vigia/testing/program'
import { type ClientOptions, clientOptions } from './broker-client.ts'

const program = fileURLToPath(new URL('subscriber.ts', import.meta.url))

/** Test fixture: a subscriber in another process, which can be frozen. */
export interface SubscriberProcess {
  readonly child: ChildProcess
  /** The first bytes of each message, in order of arrival. */
  readonly messages: readonly string[]
  /** Sends SIGSTOP; with `half` the process runs briefly now and then. */
  freeze(manner: 'never' | 'half'): void
  wake(): void
  end(): Promise<void>
}

const AWAKE_MS = 5
const ASLEEP_MS = 200

export async function startSubscriber(client: ClientOptions, filter: string): Promise<SubscriberProcess> {
  const child = fork(program, { execArgv: [], env: cleanEnv() })
  const exit = once(child, 'exit')
  const messages: string[] = []
  child.on('message', (message: { recebida?: string }) => {
    if (message.recebida !== undefined) messages.push(message.recebida)
  })
  const isReady = once(child, 'message')
  child.send({ options: await clientOptions(client), filter })
  await isReady
  let sips: NodeJS.Timeout | undefined
  let sip: NodeJS.Timeout | undefined
  const wake = () => {
    clearInterval(sips)
    // Otherwise the timer would stop the process again.
    clearTimeout(sip)
    child.kill('SIGCONT')
  }
  return {
    child,
    messages,
    freeze: (manner) => {
      child.kill('SIGSTOP')
      if (manner === 'never') return
      sips = setInterval(() => {
        child.kill('SIGCONT')
        sip = setTimeout(() => child.kill('SIGSTOP'), AWAKE_MS)
      }, ASLEEP_MS)
    },
    wake,
    end: async () => {
      wake()
      child.kill('SIGKILL')
      await exit
    },
  }
}
