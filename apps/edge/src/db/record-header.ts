import type { Lacuna, Registro } from '@vigia/contracts/candidate'

/** What of a row is needed to say what record it is. */
export interface HeaderRow {
  readonly id: string
  readonly camera_id: number
  readonly seq: number
  readonly last_seq: number
  readonly header: string
}

/**
 * The record of a row. One whose header a failing disk has damaged becomes a gap record of the same identity: it is lost, and
 * must neither hold up those behind it nor go unmentioned.
 */
export function readHeader(row: HeaderRow): Registro {
  try {
    return JSON.parse(row.header) as Registro
  } catch {
    return asGap(row)
  }
}

/** A gap record in the place of a record that can not be sent. Its instant is the one in its identity (UUIDv7). */
export function asGap({ id, camera_id, seq, last_seq }: Omit<HeaderRow, 'header'>): Lacuna {
  const ocorrido = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  return {
    tipo: 'lacuna',
    v: 1,
    id,
    camera_id,
    de_seq: seq,
    ate_seq: last_seq,
    ocorrido_de: ocorrido,
    ocorrido_ate: ocorrido,
    motivo: 'disco_indisponivel',
  }
}
