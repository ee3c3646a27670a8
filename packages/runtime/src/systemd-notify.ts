import { execFile } from 'node:child_process'

/** Time limit for systemd to accept a message. */
const ANSWER_MS = 10_000

/**
 * Sends a message to the service manager (sd_notify(3)) with the program `systemd-notify`, because Node has no AF_UNIX
 * datagram sockets. The unit needs `NotifyAccess=all`. Rejects when systemd does not accept the message.
 */
export const notifySystemd = (assignments: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile('systemd-notify', assignments, { timeout: ANSWER_MS }, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
