import type { Bus } from '../adapters/bus.ts'
import type { Replica } from './replica.ts'

/**
 * A bus whose messages reach the streams and workers of every replica. The state of a camera and outages are no part of
 * it: each replica reads them from the database (domains/operacao/quedas/status-monitor.ts).
 */
export function shareBus(bus: Bus, replica: Pick<Replica, 'notify' | 'onNotice' | 'onCheck'>): Bus {
  replica.onNotice(({ tipo }) => {
    if (tipo === 'alertas' || tipo === 'sessoes') bus.publish({ tipo })
  })
  replica.onCheck(() => {
    bus.publish({ tipo: 'alertas' })
    bus.publish({ tipo: 'sessoes' })
  })
  return {
    publish(aviso) {
      bus.publish(aviso)
      if (aviso.tipo === 'alertas' || aviso.tipo === 'sessoes') replica.notify({ tipo: aviso.tipo })
    },
    subscribe: bus.subscribe,
  }
}
