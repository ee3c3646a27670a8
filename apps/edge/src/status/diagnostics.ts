import { arch, release, uptime } from 'node:os'
import type { CameraRelatada } from '@vigia/contracts/edge-state'
import type { Diagnostico } from '@vigia/contracts/pedidos'
import type { Handlers } from '../pedidos/handle-command.ts'
import type { Machine } from './machine.ts'

type Fila = Diagnostico['fila']

interface DiagnosticsDeps {
  /** Version of this software. */
  readonly version: string
  readonly machine: Machine
  /** Edge clock minus cloud clock; null: unknown. */
  offsetMs(): number | null
  queue(): Omit<Fila, 'por_camera'> & { readonly por_camera: readonly Fila['por_camera'][number][] }
  link(): { readonly connected: boolean; readonly connections: number; readonly lastLoss: string | null }
  processes(): Diagnostico['processos']
  cameras(): readonly CameraRelatada[]
  warnings(): Diagnostico['avisos']
}

/** Answers with the state of this edge. Contains no address, no password and no picture. */
export function createDiagnosticsHandler(deps: DiagnosticsDeps): Handlers['diagnosticar'] {
  const { machine } = deps
  return async () => {
    const [memoria, disco, temperatura, sincronizado] = await Promise.all([
      machine.memory(),
      machine.disk(),
      machine.temperature(),
      machine.clockSynchronised(),
    ])
    const { connected, connections, lastLoss } = deps.link()
    const fila = deps.queue()
    const diagnostico: Diagnostico = {
      versao: deps.version,
      node: process.versions.node,
      sistema: `${process.platform} ${release()} ${arch()}`,
      ligado_ha_s: Math.round(process.uptime()),
      caixa_ligada_ha_s: Math.round(uptime()),
      memoria_processo: process.memoryUsage.rss(),
      memoria,
      disco,
      cpu: machine.lastCpu,
      temperatura,
      relogio: { desvio_ms: deps.offsetMs(), sincronizado },
      fila: { ...fila, por_camera: [...fila.por_camera] },
      ligacao: { conectado: connected, conexoes: connections, ultima_queda: lastLoss?.slice(0, 200) ?? null },
      processos: deps.processes(),
      cameras: deps.cameras().map(({ id, estado, motivo, fps }) => ({ id, estado, motivo, fps })),
      avisos: deps.warnings(),
    }
    return { ok: true, resultado: { diagnostico } }
  }
}
