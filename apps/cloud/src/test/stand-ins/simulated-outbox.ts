import { randomUUID } from 'node:crypto'
import { type Confirmacao, type Posicao, primeiroSeqDe, ultimoSeqDe } from '@vigia/contracts/candidate'
import { candidate, gap, type HeldRecord } from '../records/records.ts'

export type Lane = 'waiting' | 'live'
type Sent = HeldRecord & Posicao

/**
 * An outbox of an edge, in memory: consecutive numbers, two lanes, windows that restart at the first stored record. It
 * also keeps the outcome of each number.
 */
export function createSimulatedOutbox(cameraIds: readonly number[]) {
  let serie = randomUUID()
  const cameras = new Map(
    cameraIds.map((id) => [id, { held: [] as HeldRecord[], last: 0, mark: 0, sent: { waiting: 0, live: 0 } }]),
  )
  /** Candidates by camera and number; `kept`: it must reach the cloud. */
  const made = cameraIds.map(() => new Map<number, { id: string; kept: boolean; bad: boolean }>())
  const of = (i: number) => {
    const camera = cameras.get(cameraIds[i] ?? 0)
    const numbers = made[i]
    if (camera === undefined || numbers === undefined) throw new RangeError(`no camera ${i}`)
    return { id: cameraIds[i] ?? 0, camera, numbers }
  }
  const laneOf = (camera: { mark: number }, { registro }: HeldRecord): Lane =>
    primeiroSeqDe(registro) <= camera.mark ? 'waiting' : 'live'

  return {
    get serie() {
      return serie
    },
    made,
    held: () => [...cameras.values()].reduce((sum, { held }) => sum + held.length, 0),
    produce(i: number, bad: boolean): void {
      const { id, camera, numbers } = of(i)
      camera.last += 1
      const change = bad ? { ocorrido_em: Number.MAX_SAFE_INTEGER } : {}
      const record = candidate(id, camera.last, { crop: null, change })
      camera.held.push(record)
      numbers.set(camera.last, { id: record.id, kept: true, bad })
    },
    /** The quota deletes `n` records from number `from` on. */
    drop(i: number, from: number, n: number): void {
      const { id, camera, numbers } = of(i)
      const gone = camera.held.slice(from, from + n)
      const [first, last] = [gone[0], gone.at(-1)]
      if (!first || !last) return
      const [de, ate] = [primeiroSeqDe(first.registro), ultimoSeqDe(last.registro)]
      camera.held.splice(from, gone.length, gap(id, de, ate))
      for (const [seq, candidato] of numbers) if (seq >= de && seq <= ate) candidato.kept = false
    },
    /** A record is lost without a gap record. */
    vanish(i: number, at: number): void {
      const { camera, numbers } = of(i)
      for (const { registro } of camera.held.splice(at, 1)) {
        const candidato = numbers.get(primeiroSeqDe(registro))
        if (registro.tipo === 'candidato' && candidato) candidato.kept = false
      }
    },
    /** A session begins. */
    connect(): void {
      for (const camera of cameras.values()) {
        camera.mark = camera.last
        camera.sent = { waiting: 0, live: 0 }
      }
    },
    /** After a timeout both lanes restart. */
    timeout(): void {
      for (const camera of cameras.values()) camera.sent = { waiting: 0, live: 0 }
    },
    /** The next records of one lane of a camera, in their current state. */
    take(i: number, lane: Lane, n: number): Sent[] {
      const { camera } = of(i)
      const base = Math.min(...camera.held.map(({ registro }) => primeiroSeqDe(registro)))
      const waiting = camera.held.filter((record) => laneOf(camera, record) === 'waiting')
      const began = Math.max(camera.mark, ...waiting.map(({ registro }) => ultimoSeqDe(registro))) + 1
      const next = camera.held
        .filter((record) => laneOf(camera, record) === lane && primeiroSeqDe(record.registro) > camera.sent[lane])
        .slice(0, n)
      const last = next.at(-1)
      if (last) camera.sent[lane] = ultimoSeqDe(last.registro)
      return next.map((record) => ({ ...record, base, desde: lane === 'waiting' ? base : began }))
    },
    confirm(answers: readonly Confirmacao[]): void {
      for (const { id, resultado } of answers)
        for (const camera of cameras.values()) {
          const at = camera.held.findIndex((record) => record.id === id)
          const record = camera.held[at]
          if (record === undefined) continue
          if (resultado === 'fora_de_ordem') camera.sent[laneOf(camera, record)] = 0
          else camera.held.splice(at, 1)
        }
    },
    /** The disk is replaced: stored records are lost, and numbers continue at `last` plus `skipped`. */
    replace(lastOf: (cameraId: number) => number, skipped: number): void {
      serie = randomUUID()
      for (const [i, id] of cameraIds.entries()) {
        const { camera, numbers } = of(i)
        for (const { registro } of camera.held) {
          const candidato = numbers.get(primeiroSeqDe(registro))
          if (registro.tipo === 'candidato' && candidato) candidato.kept = false
        }
        camera.held = []
        camera.last = lastOf(id) + skipped
      }
      this.connect()
    },
  }
}
