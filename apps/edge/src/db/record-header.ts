import type { Lacuna, Registro } from '@vigia/contracts/candidate'

/** The columns of a row that identify its record. */
export interface HeaderRow {
  readonly id: string
  readonly camera_id: number
  readonly seq: number
  readonly last_seq: number
  readonly header: string
}

/**
 * Returns the record of a row. If a failing disk has damaged the header, returns a gap record with the same identity.
 * The record is lost, but it must not block later records, and the loss must be reported.
 */
export function readHeader(row: HeaderRow): Registro {
  try {
    return JSON.parse(row.header) as Registro
  } catch {
    return asGap(row)
  }
}

/** A gap record in place of a record that cannot be sent. Its time is the one in its identity (UUIDv7). */
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
