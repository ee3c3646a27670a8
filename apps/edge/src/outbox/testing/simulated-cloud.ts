import { type Confirmacoes, primeiroSeqDe, type Registro, ultimoSeqDe } from '@vigia/contracts/candidate'
import { type BatchItem, decodeBatch } from '@vigia/link/batch'

/** State of one number of a camera. */
type Place =
  | { readonly kind: 'event'; readonly id: string; readonly eventId: number; readonly registro: Registro }
  | { readonly kind: 'gap'; readonly motivo: string }
  /** In transit; the event id is reserved for it. */
  | { readonly kind: 'reserved'; readonly eventId: number }

interface CameraCount {
  readonly positions: Map<number, Place>
  last: number
}

export interface SimulatedCloud {
  readonly cameras: Map<number, CameraCount>
  /** One batch as one transaction; `refuses`: records that can never be stored. */
  receive(payload: Buffer, refuses: (registro: Registro) => boolean): Confirmacoes
}

/** The cloud's counting rules, applied number by number, which is slow but easy to verify. */
export function createSimulatedCloud(): SimulatedCloud {
  const cameras = new Map<number, CameraCount>()
  const ids = new Set<string>()
  let serie: string | null = null
  let nextEventId = 1

  function countOf(cameraId: number): CameraCount {
    const known = cameras.get(cameraId) ?? { positions: new Map<number, Place>(), last: 0 }
    cameras.set(cameraId, known)
    return known
  }

  const isSettled = (count: CameraCount, number: number) =>
    number <= count.last && count.positions.get(number)?.kind !== 'reserved'

  function store(count: CameraCount, { registro, base }: BatchItem) {
    const [from, to] = [primeiroSeqDe(registro), ultimoSeqDe(registro)]
    for (let number = count.last + 1; number < from; number++) {
      count.positions.set(
        number,
        number < base ? { kind: 'gap', motivo: 'salto_de_sequencia' } : { kind: 'reserved', eventId: nextEventId++ },
      )
    }
    for (let number = from; number <= to; number++) {
      if (isSettled(count, number)) continue
      const place = count.positions.get(number)
      if (registro.tipo === 'lacuna') count.positions.set(number, { kind: 'gap', motivo: registro.motivo })
      else {
        if (ids.has(registro.id)) throw new Error(`stored twice: ${registro.id}`)
        ids.add(registro.id)
        const eventId = place?.kind === 'reserved' ? place.eventId : nextEventId++
        count.positions.set(number, { kind: 'event', id: registro.id, eventId, registro })
      }
    }
    count.last = Math.max(count.last, to)
  }

  function answer(
    item: BatchItem,
    refuses: (registro: Registro) => boolean,
  ): Confirmacoes['itens'][number]['resultado'] {
    const { registro, base, desde } = item
    const count = countOf(registro.camera_id)
    const [from, to] = [primeiroSeqDe(registro), ultimoSeqDe(registro)]
    if (base > from || desde > from)
      throw new Error(`impossible position: base ${base}, desde ${desde}, number ${from}`)
    if (refuses(registro)) return 'recusado'
    for (const [number, place] of count.positions) {
      if (place.kind === 'reserved' && number < base)
        count.positions.set(number, { kind: 'gap', motivo: 'salto_de_sequencia' })
    }
    for (let number = Math.max(desde, base); number < from; number++) {
      if (!isSettled(count, number)) return 'fora_de_ordem'
    }
    let isNew = false
    for (let number = from; number <= to; number++) isNew ||= !isSettled(count, number)
    if (!isNew) return 'repetido'
    store(count, item)
    return 'gravado'
  }

  return {
    cameras,
    receive(payload, refuses) {
      const batch = decodeBatch(payload)
      if (!batch.ok) throw new Error(batch.motivo)
      serie ??= batch.serie
      if (serie !== batch.serie) throw new Error('another outbox')
      const itens = batch.itens.map((item) => {
        if (!item.ok) throw new Error(item.motivo)
        return { id: item.registro.id, resultado: answer(item, refuses), motivo: null }
      })
      return { tipo: 'registros', v: 2, itens }
    },
  }
}
