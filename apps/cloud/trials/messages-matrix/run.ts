import tls from 'node:tls'
import { createTestInstallation, type TestInstallation } from '@vigia/link/testing/installation'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { mosquittoProgram } from '@vigia/testing/mosquitto'
import { startHttpReceiver } from '../../src/test/stand-ins/http-receiver.ts'
import type { Cell } from './cell.ts'
import type { Fault } from './faults.ts'
import { playFault } from './play-fault.ts'
import {
  type Receiver,
  startEmail,
  startMqtt,
  startPush,
  startTelegram,
  startWebhook,
  startWhatsapp,
} from './receivers.ts'

interface Options {
  readonly faults: readonly Fault[]
  readonly onFault?: (fault: Fault) => void
}

/** Names of the receivers of this machine; `mqtt` needs mosquitto. */
export const receiverNames = ['webhook', 'webhook, agrupar', 'email', 'whatsapp', 'telegram', 'push'].concat(
  mosquittoProgram === null ? [] : ['mqtt'],
)

/**
 * Plays one hour of each fault at one receiver per kind of destination, by a simulated clock. Afterwards each confirmed
 * incidente must have arrived exactly once, under one id, at each matching destination and nowhere else.
 */
export async function runMatrix({ faults, onFault = () => {} }: Options): Promise<Cell[]> {
  const before = tls.getCACertificates('default')
  const installation = await createTestInstallation()
  tls.setDefaultCACertificates([...before, installation.broker.ca])
  try {
    const cells: Cell[] = []
    for (const fault of faults) {
      onFault(fault)
      cells.push(...(await playAlone(installation, fault)))
    }
    return cells
  } finally {
    tls.setDefaultCACertificates(before)
    await installation.remove()
  }
}

/** Starts new receivers, so that no message of another fault counts. */
async function playAlone(installation: TestInstallation, fault: Fault): Promise<Cell[]> {
  const trap = await startHttpReceiver()
  let chavePublica = ''
  const push = await startPush(trap.url, () => chavePublica)
  const started = [
    await startWebhook(trap.url, false),
    await startWebhook(trap.url, true),
    await startEmail(installation),
    await startWhatsapp(trap.url),
    await startTelegram(trap.url),
    ...(mosquittoProgram === null ? [] : [await startMqtt()]),
  ]
  const receivers: Receiver[] = [...started.map(({ receiver }) => receiver), push.receiver]
  try {
    const found = await playFault({
      fault,
      receivers,
      subscriptions: push.subscriptions,
      allowed: parseAllowedCidrs('127.0.0.0/8'),
      env: Object.assign({}, ...started.map(({ env = {} }) => env)),
      onKey: (key) => {
        chavePublica = key
      },
    })
    const followed = trap.connections() === 0 ? [] : ['the target of a redirect got a connection']
    return found.map((cell) => ({ ...cell, problems: [...cell.problems, ...followed] }))
  } finally {
    for (const { close } of receivers) await close()
    await trap.close()
  }
}
