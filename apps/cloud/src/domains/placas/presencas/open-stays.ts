import { masksOf } from '../passagens/similar-patterns.ts'

/** Fields of a passage that the pairing uses. */
export interface Movement {
  readonly empresa_id: number
  readonly local: string | null
  readonly placa: string
  readonly sentido: 'entrada' | 'saida'
  /** Edge clock, epoch ms. */
  readonly ocorrido_em: number
  /** End of the stay by hand, epoch ms; null: nobody ended it. */
  readonly encerrada_em: number | null
}

export interface Stay<M extends Movement = Movement> {
  /** null: the entry was not read. */
  readonly entrada: M | null
  /** null: still inside, ended by hand, or the exit was not read. */
  saida: M | null
  /** The plate of the exit differs from that of the entry in one symbol. */
  semelhante: boolean
  /** The vehicle is still inside. */
  aberta: boolean
}

/** Stays of one `local` without an exit, at most one per plate. */
export interface OpenStays<M extends Movement> {
  /** The stay of this plate. */
  find(placa: string): Stay<M> | undefined
  /**
   * The stay whose plate differs in exactly one symbol; undefined: none or several.
   * @param isCandidate other stays do not count
   */
  findSimilar(placa: string, isCandidate: (stay: Stay<M>) => boolean): Stay<M> | undefined
  add(placa: string, stay: Stay<M>): void
  remove(placa: string): void
}

/** Finds a similar plate by its masks, so that the cost of one exit does not grow with the number of open stays. */
export function createOpenStays<M extends Movement>(): OpenStays<M> {
  const byPlate = new Map<string, Stay<M>>()
  const platesByMask = new Map<string, Set<string>>()
  return {
    find: (placa) => byPlate.get(placa),
    findSimilar(placa, isCandidate) {
      const stays = masksOf(placa)
        .flatMap((mask) => [...(platesByMask.get(mask) ?? [])])
        .filter((other) => other !== placa)
        .flatMap((other) => byPlate.get(other) ?? [])
        .filter(isCandidate)
      return stays.length === 1 ? stays[0] : undefined
    },
    add(placa, stay) {
      byPlate.set(placa, stay)
      for (const mask of masksOf(placa)) platesByMask.set(mask, (platesByMask.get(mask) ?? new Set()).add(placa))
    },
    remove(placa) {
      byPlate.delete(placa)
      for (const mask of masksOf(placa)) platesByMask.get(mask)?.delete(placa)
    },
  }
}
