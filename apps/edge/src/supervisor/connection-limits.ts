import { canonicalHost } from '@vigia/rtsp/address-policy'
import { hostOf } from '../capture/connection-slots.ts'
import type { ConfiguredCamera } from '../link/desired.ts'
import type { ConnectionLimit } from './host-limits.ts'

/** The recorders of these cameras and their declared limits: the smallest one of each host counts. */
export function connectionLimits(cameras: readonly ConfiguredCamera[]): ConnectionLimit[] {
  const limits = new Map<string, ConnectionLimit>()
  const counts = new Map<string, number>()
  for (const { desejada, task } of cameras) {
    if (!task) continue
    const host = canonicalHost(hostOf(task.fontes.rtsp_url))
    const cameras = (counts.get(host) ?? 0) + 1
    counts.set(host, cameras)
    const declared = desejada.max_conexoes ?? Number.POSITIVE_INFINITY
    const connections = Math.min(declared, limits.get(host)?.connections ?? Number.POSITIVE_INFINITY)
    limits.set(host, { host, connections, cameras })
  }
  return [...limits.values()]
}
