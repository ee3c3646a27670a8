import { loadavg } from 'node:os'
import type { Row } from '@vigia/testing/trial'
import type { Cpu } from './cpu.ts'

/** One line of the report. Absent parts are shown as a dash. */
export interface Line {
  readonly medida: string
  readonly valor: string
  readonly meta?: string
  /** The peer of the comparison, and its value. */
  readonly par?: string
  readonly razao?: number
  /** Whether the goal was missed. */
  readonly falhou?: boolean
}

/** With the load average of the last minute, to which other programs contribute. */
export const toRow = ({ medida, valor, meta, par, razao, falhou }: Line): Row => ({
  medida,
  valor,
  meta: falhou ? `${meta}: não` : (meta ?? null),
  par: par ?? null,
  razão: razao?.toFixed(2) ?? null,
  carga: (loadavg()[0] ?? 0).toFixed(1),
})

export const whole = (value: number): string => Math.round(value).toLocaleString('pt-BR')
export const ms = (value: number): string => `${value < 10 ? value.toFixed(1).replace('.', ',') : whole(value)} ms`
export const perSecond = (value: number): string => `${whole(value)}/s`

/** Load of the clients, the cloud, the broker and, if it is a program of its own, the database. */
export const cores = ({ clientes, central, broker, banco }: Cpu): string =>
  Object.entries({ clientes, central, broker, ...(banco > 0 && { PostgreSQL: banco }) })
    .map(([name, value]) => `${name} ${value.toFixed(2).replace('.', ',')}`)
    .join('; ')
