import { execFile } from 'node:child_process'

/** Longest time that systemd may need to take a message, ms. */
const ANSWER_MS = 10_000

/**
 * Sends a message to the service manager (sd_notify(3)). Node has no datagram sockets of AF_UNIX, therefore systemd's own program sends it;
 * the unit needs `NotifyAccess=all`. Rejects when the message was not taken.
 */
export const notifySystemd = (assignments: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile('systemd-notify', assignments, { timeout: ANSWER_MS }, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
