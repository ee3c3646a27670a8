import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Kills a child process and resolves at its exit, after which its folder can be removed. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  // Not 'close': Node delays that event where this side has closed the channel.
  const over = once(child, 'exit')
  child.kill('SIGKILL')
  await over
}
