/**
 * Loaded by `--import` into third-party programs of the tests. Refuses connections to other machines and writes each
 * host as a line into the file `VIGIA_TEST_OUTSIDE`. Blocks telemetry and update checks of these programs.
 */
import { appendFileSync } from 'node:fs'
import net, { type Socket } from 'node:net'

const ours = new net.BlockList()
ours.addSubnet('127.0.0.0', 8, 'ipv4')
ours.addAddress('::1', 'ipv6')

const isOurs = (host: string): boolean => {
  const version = net.isIP(host)
  return version === 0 ? host === 'localhost' : ours.check(host, version === 6 ? 'ipv6' : 'ipv4')
}

/** Host argument of `Socket.connect`, in any of its signatures; null: a Unix socket. */
function hostOf(args: readonly unknown[]): string | null {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0]
  if (typeof first === 'object' && first !== null) {
    const { path, host } = first as { path?: string; host?: string }
    return path ? null : (host ?? 'localhost')
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return null
  return typeof args[1] === 'string' ? args[1] : 'localhost'
}

const connect = net.Socket.prototype.connect as (...args: unknown[]) => Socket
net.Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args)
  if (host === null || isOurs(host)) return connect.apply(this, args)
  appendFileSync(process.env.VIGIA_TEST_OUTSIDE ?? '/dev/null', `${host}\n`)
  process.nextTick(() => this.destroy(new Error(`connection to ${host} refused by the test`)))
  return this
} as typeof net.Socket.prototype.connect
